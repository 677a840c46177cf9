#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <algorithm>

#include <sstream>

#include "reports/report.h"
#include "reports/text/text_layout.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using test_support::sample_analysis;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(TextReport, PutsIssuesBeforeEveryNumber) {
  const std::string text = render_report(sample_analysis(), "text").value();
  EXPECT_LT(text.find("clocks.throttled"), text.find("4.76x"));
}

TEST(TextReport, KeepsWithinTheWidthOfTheTerminal) {
  for (const int width : {50, 80, 100, 160}) {
    ReportOptions options;
    options.width = width;
    std::istringstream lines(render_report(sample_analysis(), "text", options).value());
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(display_width(line), static_cast<std::size_t>(width)) << line;
    }
  }
}

TEST(TextReport, UsesColourOnlyWhenAsked) {
  EXPECT_THAT(render_report(sample_analysis(), "text").value(), Not(HasSubstr("\x1b")));
  ReportOptions options;
  options.colour = true;
  EXPECT_THAT(render_report(sample_analysis(), "text", options).value(), HasSubstr("\x1b[1m"));
}

TEST(TextReport, ShowsFiveDiagnosesUnlessAllAreAskedFor) {
  EXPECT_THAT(render_report(sample_analysis(), "text").value(),
              Not(HasSubstr("wave_quantisation")));
  ReportOptions options;
  options.all_diagnoses = true;
  EXPECT_THAT(render_report(sample_analysis(), "text", options).value(),
              HasSubstr("wave_quantisation"));
}

TEST(TextReport, NamesKernelsThatLackTheSameTogether) {
  Analysis analysis = sample_analysis();
  const KernelAnalysis kernel = analysis.kernels.front();
  analysis.kernels.assign(9, kernel);
  for (std::size_t i = 0; i < 9; ++i) {
    analysis.kernels[i].short_name = "k" + std::to_string(i);
    analysis.kernels[i].flop = {};
    analysis.kernels[i].achieved_flop_per_s.reset();
  }
  ReportOptions wide;
  wide.width = 140;
  const std::string text = render_report(analysis, "text", wide).value();
  EXPECT_THAT(text, HasSubstr("k0, k1, k2, k3, k4, k5 and 3 more have no place on the roofline"));
}

TEST(TextReport, SaysWhichKernelsAreNotOnTheRoofline) {
  EXPECT_THAT(render_report(test_support::sparse_analysis(), "text").value(),
              HasSubstr("copy_kernel has no place on the roofline: its FLOP are not modelled"));
}

TEST(TextReport, KeepsNotApplicableApartFromNotMeasured) {
  EXPECT_THAT(render_report(sample_analysis(), "text").value(),
              HasSubstr("  not applicable  HBM bandwidth utilisation (fused): 3.50 %"));
}

TEST(TextReport, ShowsEveryVariantOnANarrowTerminal) {
  Analysis analysis = sample_analysis();
  analysis.variants.push_back(analysis.variants[1]);
  analysis.variants.back().name = "third_variant";
  ReportOptions options;
  options.width = 60;
  const std::string text = render_report(analysis, "text", options).value();
  EXPECT_THAT(text, HasSubstr("  third_variant\n  Least time "));
  EXPECT_THAT(text, HasSubstr("the factors to the first variant do not fit"));
}

TEST(TextReport, SaysAtEveryWidthWhatEachKernelIsBoundBy) {
  for (const int width : {60, 80, 100}) {
    ReportOptions options;
    options.width = width;
    const std::string text = render_report(sample_analysis(), "text", options).value();
    for (const char* column : {"Bound by", "Headroom", "Compute util.", "HBM util."}) {
      EXPECT_THAT(text, HasSubstr(column)) << width;
    }
  }
}

// The sample's kernels, then loose ones of falling time shares.
Analysis with_many_kernels(std::size_t count) {
  Analysis analysis = sample_analysis();
  for (std::size_t i = 0; i < count; ++i) {
    KernelAnalysis kernel = analysis.kernels.front();
    kernel.variant.clear();
    kernel.name = kernel.short_name = "loose_" + std::to_string(i);
    kernel.launches = 100;
    kernel.time_share = 0.0001;
    analysis.kernels.push_back(std::move(kernel));
  }
  return analysis;
}

TEST(TextReport, ShowsTheFirstKernelsAndWhatTheRestAddUpTo) {
  const Analysis analysis = with_many_kernels(1000);
  const std::size_t rest = analysis.kernels.size() - 25;
  const std::string text = render_report(analysis, "text").value();
  EXPECT_THAT(text, HasSubstr("loose_0 "));
  EXPECT_THAT(text, Not(HasSubstr("loose_999")));
  EXPECT_THAT(text, HasSubstr("and " + std::to_string(rest) + " more kernels with "));
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 280);
}

TEST(TextReport, AFewIssuesOfACodeStandForTheRest) {
  Analysis analysis = sample_analysis();
  for (int i = 0; i < 1000; ++i) {
    analysis.issues.push_back({"counters.incomplete", "kernel " + std::to_string(i)});
  }
  analysis.issues.push_back({"clocks.moved", "the clock moved"});
  const std::string text = render_report(analysis, "text").value();
  EXPECT_THAT(text, HasSubstr("counters.incomplete: kernel 4\n"));
  EXPECT_THAT(text, Not(HasSubstr("kernel 5\n")));
  EXPECT_THAT(text, HasSubstr("counters.incomplete: 995 more of these"));
  EXPECT_THAT(text, HasSubstr("the clock moved"));
}

}  // namespace
}  // namespace ridgepoint
