#include "reports/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/presenters/roofline.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

TEST(RenderReport, RendersEveryTextFormatOfEveryAnalysis) {
  for (const Analysis& analysis :
       {test_support::sample_analysis(), test_support::sparse_analysis(), Analysis()}) {
    for (const ReportFormat& format : report_formats()) {
      if (format.needs_session || format.save != nullptr) {
        continue;
      }
      const auto text = render_report(analysis, format.name);
      if (format.name == std::string("svg") && roofline(analysis).points.empty()) {
        EXPECT_FALSE(text.has_value()) << "there is nothing to draw";
        continue;
      }
      ASSERT_TRUE(text.has_value()) << format.name;
      EXPECT_FALSE(text->empty()) << format.name;
    }
  }
}

TEST(RenderReport, SaysWhichFormatNeedsTheSession) {
  const auto trace = render_report(test_support::sample_analysis(), "trace");
  ASSERT_FALSE(trace.has_value());
  EXPECT_EQ(trace.error().domain, ErrorDomain::usage);
  EXPECT_THAT(trace.error().hint, ::testing::HasSubstr("session file"));
}

TEST(RenderReport, RefusesAnUnknownFormatAndNamesTheKnownOnes) {
  const auto text = render_report(Analysis(), "pdf");
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().domain, ErrorDomain::usage);
  EXPECT_THAT(text.error().hint, ::testing::HasSubstr("markdown"));
}

TEST(RenderReport, SaysFirstWhereTheNumbersComeFrom) {
  Analysis analysis = test_support::sample_analysis();
  analysis.devices[0].name = "NVIDIA H200";
  analysis.source = Source::recording;
  for (const char* format : {"text", "markdown"}) {
    const std::string text = render_report(analysis, format).value();
    EXPECT_EQ(text.substr(0, text.find('\n')), "recording made on a real NVIDIA H200 on 2026-11-29")
        << format;
  }
}

}  // namespace
}  // namespace ridgepoint
