#include "reports/charts/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "reports/escape.h"
#include "reports/presenters/captions.h"
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
  // A reference workload has none of its own.
  analysis.timeline =
      test_support::analysed(test_support::recording("profile-training-timeline")).timeline;
  for (const Figure& figure : figures()) {
    const auto svg = drawn(analysis, std::string(figure.name));
    ASSERT_TRUE(svg) << figure.name << ": " << format_error(svg.error());
    EXPECT_THAT(*svg, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns="));
    EXPECT_THAT(*svg, Not(HasSubstr("var(--"))) << figure.name;
    EXPECT_THAT(*svg, Not(HasSubstr("nan"))) << figure.name;
  }
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  return begin == std::string::npos
             ? "no " + from
             : text.substr(begin + from.size(), text.find(to, begin) - begin - from.size());
}

// Passed on without its report, a picture still says what it shows, of which GPU and which run: in
// sight, and to who hears it read.
TEST(Figures, EachSaysWhatItShowsAndOfWhichGpuAndRun) {
  Analysis analysis = test_support::analysed(test_support::recording());
  analysis.timeline =
      test_support::analysed(test_support::recording("profile-training-timeline")).timeline;
  const std::map<std::string, std::pair<const char*, const char*>> expected = {
      {"roofline", {"Roofline", "naive_softmax "}},
      {"traffic", {"Traffic by memory level", "HBM: naive "}},
      {"split", {"What moves", "HBM: naive "}},
      {"memory", {"Where the bytes go", "naive: shared memory "}},
      {"stalls", {"What the warps wait for", "naive_scores "}},
      {"time", {"Over time", "One run of naive"}},
      {"timeline", {"Activity", "GPU busy: "}}};
  for (const Figure& figure : figures()) {
    const auto& [title, told] = expected.at(std::string(figure.name));
    const std::string svg = drawn(analysis, std::string(figure.name)).value();
    const std::string run =
        "Recording made on a real NVIDIA H200 on 2026-11-30. Attention: batch 1, 8 heads, N = "
        "16384, "
        "d = 64, FP16, forward.";
    EXPECT_EQ(between(svg, "<title>", "</title>"), std::string(title) + ": " + run);
    EXPECT_THAT(between(svg, "<desc>", "</desc>"), HasSubstr(told));
    EXPECT_THAT(svg, HasSubstr(std::string(">") + title + "</text>")) << "in sight";
    EXPECT_THAT(svg, HasSubstr(">" + run + "</text>"));
  }
}

TEST(Figures, CaptionsAreThoseOfThePage) {
  const Analysis analysis = test_support::analysed(test_support::recording());
  const std::string page = render_report(analysis, "html").value();
  const std::pair<const char*, std::string> captions[] = {{"roofline", roofline_caption()},
                                                          {"traffic", traffic_caption(analysis)},
                                                          {"split", split_caption(analysis)},
                                                          {"memory", diagram_caption(analysis)},
                                                          {"stalls", stall_caption()}};
  for (const auto& [figure, caption] : captions) {
    EXPECT_THAT(between(*drawn(analysis, figure), "<desc>", "</desc>"),
                HasSubstr(escape_xml(caption)));
    const std::string start = caption.substr(0, caption.find('\''));
    EXPECT_THAT(page, HasSubstr("<p class=\"note\">" + start)) << figure;
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
