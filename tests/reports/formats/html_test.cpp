#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/report.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string page() {
  return render_report(test_support::sample_analysis(), "html").value();
}

TEST(HtmlReport, NeedsNothingBesideItself) {
  const std::string html = page();
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("src=\"")));
  EXPECT_THAT(html, Not(HasSubstr("<link")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
}

TEST(HtmlReport, FitsIntoAMail) {
  EXPECT_LT(page().size(), 500'000U);
}

TEST(HtmlReport, HoldsEveryPart) {
  const std::string html = page();
  for (const char* heading :
       {"Read this first", "Side by side", "Traffic by memory level", "What moves",
        "Traffic by NVTX range", "Roofline", "Diagnoses", "What the warps wait for", "Kernels",
        "Targets", "Ceilings", "What it was predicted for", "Glossary"}) {
    EXPECT_THAT(html, HasSubstr(std::string(">") + heading + "</h2>"));
  }
}

TEST(HtmlReport, LeavesNoPlaceholderOfItsTemplate) {
  EXPECT_THAT(page(), Not(HasSubstr("{{")));
}

TEST(HtmlReport, OmitsSectionsThatHaveNothingToShow) {
  const std::string html = render_report(test_support::sparse_analysis(), "html").value();
  for (const char* heading : {"Side by side", "What moves", "Traffic by NVTX range", "Diagnoses",
                              "What the warps wait for", "Targets"}) {
    EXPECT_THAT(html, Not(HasSubstr(std::string(">") + heading + "</h2>")));
  }
  EXPECT_THAT(html, HasSubstr("<strong>copy_kernel</strong> (its FLOP are not modelled)"));
}

TEST(HtmlReport, SaysWhyAMarkMayStandAboveTheL2Roof) {
  EXPECT_THAT(page(), Not(HasSubstr("above its roof")));
  const Analysis analysis =
      test_support::analysed(test_support::recording(test_support::decode_recording));
  EXPECT_THAT(render_report(analysis, "html").value(),
              HasSubstr("a mark can lie above its roof.</p>"));
}

TEST(HtmlReport, DrawsNoBarForBytesThatAreNotKnown) {
  Analysis analysis = test_support::sample_analysis();
  EXPECT_THAT(page(), Not(HasSubstr("\"bar absent")));
  analysis.variants[1].traffic[MemoryLevel::smem].predicted.reset();
  EXPECT_THAT(render_report(analysis, "html").value(), HasSubstr("\"bar absent predicted\""));
}

TEST(HtmlReport, LinksADiagnosisToItsKernel) {
  const std::string html = page();
  EXPECT_THAT(html, HasSubstr("<a href=\"#kernel-1\">naive_softmax (naive)</a>"));
  EXPECT_THAT(html, HasSubstr("<tr id=\"kernel-1\">"));
}

TEST(HtmlReport, SaysWhichPeakTheFlopRateOfACardIsOf) {
  EXPECT_THAT(page(), HasSubstr("of the Tensor FP16 peak at the highest clock, by the median "
                                "latency"));
  Analysis analysis = test_support::sample_analysis();
  analysis.variants[1].latency.reset();
  EXPECT_THAT(render_report(analysis, "html").value(),
              HasSubstr("peak at the highest clock, by the summed kernel time"));
}

TEST(HtmlReport, KeepsANumberAndItsUnitOnOneLine) {
  EXPECT_THAT(page(), HasSubstr(".number { white-space: nowrap; }"));
}

}  // namespace
}  // namespace ridgepoint
