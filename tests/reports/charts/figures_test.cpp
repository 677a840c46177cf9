#include "reports/charts/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/presenters/format.h"
#include "reports/report.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Result<std::string> drawn(const Analysis& analysis, const std::string& figure) {
  ReportOptions options;
  options.figure = figure;
  return render_report(analysis, "svg", options);
}

TEST(Figures, EachIsADocumentOfItsOwnInColoursThatEveryViewerKnows) {
  Analysis analysis = test_support::analysed(test_support::recording());
  PmTrace trace;
  trace.variant = "fused";
  trace.interval_s = 1e-5;
  trace.duration_s = 2e-5;
  trace.time_s = {0.5e-5, 1.5e-5};
  trace.channels = {{"hbm_read_share", "share", "bytes read", {0.25, 0.5}}};
  analysis.pm_traces = {trace};
  for (const Figure& figure : figures()) {
    const auto svg = drawn(analysis, std::string(figure.name));
    ASSERT_TRUE(svg) << figure.name << ": " << format_error(svg.error());
    EXPECT_THAT(*svg, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns="));
    EXPECT_THAT(*svg, Not(HasSubstr("var(--"))) << figure.name;
    EXPECT_THAT(*svg, Not(HasSubstr("nan"))) << figure.name;
    EXPECT_THAT(*svg, HasSubstr("NVIDIA H200")) << "where it comes from";
  }
}

TEST(Figures, ShowTheBytesAndSharesOfTheReports) {
  const Analysis analysis = test_support::analysed(test_support::recording());
  const VariantAnalysis& naive = analysis.variants.front();
  const std::string traffic = *drawn(analysis, "traffic");
  const LevelPrediction& hbm = naive.traffic[MemoryLevel::hbm];
  EXPECT_THAT(traffic, HasSubstr("naive " + format_quantity(hbm.measured.total, Unit::byte)));
  EXPECT_THAT(traffic, HasSubstr("naive predicted " + format_quantity(hbm.predicted, Unit::byte)));
  EXPECT_THAT(*drawn(analysis, "split"),
              HasSubstr("intermediates " +
                        format_quantity(naive.split[MemoryLevel::hbm]->intermediates, Unit::byte)));
  const StallShare& stall = analysis.kernels.front().stalls.front();
  EXPECT_THAT(*drawn(analysis, "stalls"), HasSubstr(format_quantity(stall.share, Unit::share)));
}

TEST(Figures, SayWhatIsMissingInsteadOfDrawingNothing) {
  const auto time = drawn(test_support::sample_analysis(), "time");
  ASSERT_FALSE(time);
  EXPECT_EQ(exit_code_for(time.error()), ExitCode::no_verdict);
  EXPECT_THAT(time.error().why, HasSubstr("nothing of it was measured"));
  const auto unknown = drawn(test_support::sample_analysis(), "sunset");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(exit_code_for(unknown.error()), ExitCode::usage);
}

TEST(Figures, EscapeNamesFromTheSession) {
  Analysis analysis = test_support::sample_analysis();
  analysis.variants.front().name = "<script>";
  analysis.kernels.front().short_name = "<b>&";
  for (const char* figure : {"roofline", "traffic", "split", "memory", "stalls"}) {
    if (const auto svg = drawn(analysis, figure)) {
      EXPECT_THAT(*svg, Not(HasSubstr("<script>"))) << figure;
      EXPECT_THAT(*svg, Not(HasSubstr("<b>"))) << figure;
    }
  }
}

}  // namespace
}  // namespace ridgepoint
