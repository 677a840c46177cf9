#include "reports/charts/timeline_svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/report.h"
#include "tests/analyzer/timeline/timeline_session.h"
#include "tests/support/golden.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using test_support::add_copy;
using test_support::add_launch;
using test_support::add_range;
using test_support::empty_profile;
using ::testing::HasSubstr;
using ::testing::Not;

Session small_run() {
  Session session = empty_profile();
  session.devices.resize(1);
  add_range(session, "step <1>", 0, 400);
  add_launch(session, 0, 20, 220).range = 0;
  add_launch(session, 1, 250, 350).range = 0;
  add_launch(session, 1, 380, 380);
  add_copy(session, "copy host to device", 1'000'000, 0, 20);
  return session;
}

std::string whole(const Session& session) {
  const Analysis analysis = test_support::analysed(session);
  return timeline_svg(analysis, analysis.timeline->whole());
}

TEST(TimelineSvg, LooksAsSomebodyFoundItRight) {
  test_support::expect_golden("timeline.svg", whole(small_run()));
}

TEST(TimelineSvg, NamesLanesKernelsAndTimesAndTellsThemToWhoCannotSee) {
  const std::string svg = whole(small_run());
  EXPECT_THAT(svg, HasSubstr(">stream 7</text>"));
  EXPECT_THAT(svg, HasSubstr(">copy host to device</text>"));
  EXPECT_THAT(svg, HasSubstr(">NVTX, thread 42</text>"));
  EXPECT_THAT(svg, HasSubstr(">200 µs</text>"));
  EXPECT_THAT(svg, HasSubstr(">gemm</text>"));
  EXPECT_THAT(svg, HasSubstr("<title>gemm, start 20.000 µs, duration 200 µs, stream 7, "
                             "NVTX range step &lt;1&gt;</title>"));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"Activity from 0.000 µs to 400.000 µs."));
  EXPECT_THAT(svg, Not(HasSubstr("step <1>")));
}

TEST(TimelineSvg, LaunchesWithoutATimeAreThinTicks) {
  EXPECT_THAT(whole(small_run()), HasSubstr("<path class=\"untimed s-naive\""));
}

TEST(TimelineSvg, DoesNotGrowWithTheLaunches) {
  Session session = empty_profile();
  for (std::int64_t i = 0; i < 100'000; ++i) {
    add_launch(session, 0, 3 * i, 3 * i + 2);
  }
  EXPECT_LT(whole(session).size(), 100'000U);
}

TEST(TimelineSvg, PageAndTextTellOfTheActivityAndNotOfCountersNobodyAskedFor) {
  const Analysis analysis =
      test_support::analysed(test_support::recording("profile-training-timeline"));
  const std::string page = render_report(analysis, "html").value();
  EXPECT_THAT(page, HasSubstr(">Activity</h2>"));
  EXPECT_THAT(page, HasSubstr("<svg class=\"timeline\""));
  EXPECT_THAT(page, Not(HasSubstr(">Roofline</h2>")));
  for (const char* format : {"text", "markdown", "html"}) {
    const std::string report = render_report(analysis, format).value();
    EXPECT_THAT(report, HasSubstr("GPU busy")) << format;
    EXPECT_THAT(report, HasSubstr("copy host to device")) << format;
    EXPECT_THAT(report, HasSubstr("GB/s")) << format;
    EXPECT_THAT(report, Not(HasSubstr("counters.absent"))) << format;
    EXPECT_THAT(report, Not(HasSubstr("Read this first"))) << format;
  }
}

TEST(TimelineSvg, ASessionOfCountersHasNoActivity) {
  const Analysis analysis =
      test_support::analysed(test_support::recording("profile-three-kernels"));
  EXPECT_THAT(render_report(analysis, "html").value(), Not(HasSubstr(">Activity</h2>")));
  EXPECT_THAT(render_report(analysis, "text").value(), Not(HasSubstr("Activity")));
  ReportOptions options;
  options.figure = "timeline";
  EXPECT_FALSE(render_report(analysis, "svg", options)) << "absent is no empty picture";
}

}  // namespace
}  // namespace ridgepoint
