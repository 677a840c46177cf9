#include "analyzer/analysis/pm_traces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analyzer/analysis/analyse.h"
#include "analyzer/metrics/counter_map.h"
#include "tests/support/sample_session.h"

namespace ridgepoint {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// Five samples a microsecond apart; the SMs work in the middle three.
PmSeries series() {
  const CounterMap map = load_pm_sampling_map("GH100").value().value();
  PmSeries s;
  s.variant = "fused";
  s.interval_s = 1e-6;
  for (int i = 0; i < 5; ++i) {
    s.start_s.push_back(i * 1e-6);
    s.end_s.push_back((i + 1) * 1e-6);
  }
  for (const QuantityDefinition& quantity : map.quantities) {
    s.names.push_back(quantity.terms.at(0).counter);
    s.columns.push_back(quantity.id == "sm_active_share"
                            ? std::vector<double>{0, 50, 100, 25, 0}
                            : std::vector<double>{9, 10, 20, not_measured, 9});
  }
  return s;
}

Analysis analysed(const PmSeries& one) {
  Session session = ridgepoint::testing::sample_session();
  session.pm_series = {one};
  return analyse(session).value();
}

bool has_issue(const Analysis& analysis, const std::string& code) {
  return std::any_of(analysis.issues.begin(), analysis.issues.end(),
                     [&](const Issue& issue) { return issue.code == code; });
}

TEST(PmTraces, RunFromTheFirstBusySampleToTheLast) {
  const Analysis analysis = analysed(series());
  ASSERT_EQ(analysis.pm_traces.size(), 1U);
  const PmTrace& trace = analysis.pm_traces[0];
  EXPECT_EQ(trace.variant, "fused");
  EXPECT_NEAR(trace.duration_s, 3e-6, 1e-15);
  EXPECT_THAT(trace.time_s, ElementsAre(DoubleNear(0.5e-6, 1e-12), DoubleNear(1.5e-6, 1e-12),
                                        DoubleNear(2.5e-6, 1e-12)));
  ASSERT_EQ(trace.channels.size(), 5U);
  EXPECT_EQ(trace.channels[0].id, "sm_active_share");
  EXPECT_THAT(trace.channels[0].values, ElementsAre(0.5, 1.0, 0.25));
  EXPECT_DOUBLE_EQ(trace.channels[3].values[1], 0.2);
  EXPECT_TRUE(std::isnan(trace.channels[3].values[2]));
  EXPECT_FALSE(has_issue(analysis, "pm_sampling.cut_off"));
}

TEST(PmTraces, OfALaunchNameItsKernel) {
  PmSeries launch = series();
  launch.variant.clear();
  launch.kernel = 0;
  launch.nth = 3;
  const Analysis analysis = analysed(launch);
  ASSERT_EQ(analysis.pm_traces.size(), 1U);
  EXPECT_EQ(analysis.pm_traces[0].kernel, ridgepoint::testing::sample_session().kernels[0].name);
  EXPECT_EQ(analysis.pm_traces[0].nth, 3);
}

TEST(PmTraces, ARecordThatReachesBackBeforeTheRunIsNoSample) {
  PmSeries early = series();
  early.start_s.front() = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    early.start_s[i] = i == 0 ? 0 : 0.5 + static_cast<double>(i) * 1e-6;
    early.end_s[i] = 0.5 + static_cast<double>(i + 1) * 1e-6;
  }
  early.columns[0].front() = 1;  // what ran before
  EXPECT_NEAR(analysed(early).pm_traces.at(0).duration_s, 3e-6, 1e-12);
}

TEST(PmTraces, ABufferThatWasFullIsTold) {
  PmSeries cut = series();
  cut.cut_off = true;
  EXPECT_TRUE(has_issue(analysed(cut), "pm_sampling.cut_off"));
}

TEST(PmTraces, WithoutABusySampleThereIsAnIssueAndNoTrace) {
  PmSeries idle = series();
  idle.columns[0] = {0, 0, 0, 0, 0};
  const Analysis analysis = analysed(idle);
  EXPECT_TRUE(analysis.pm_traces.empty());
  EXPECT_TRUE(has_issue(analysis, "pm_sampling.unusable"));
}

TEST(PmTraces, AChipThatNoFileListsHasAnIssueAndNoTrace) {
  Session session = ridgepoint::testing::sample_session();
  session.pm_series = {series()};
  session.devices[0].chip = "GA100";
  const Analysis analysis = analyse(session).value();
  EXPECT_TRUE(analysis.pm_traces.empty());
  EXPECT_TRUE(has_issue(analysis, "pm_sampling.unusable"));
}

}  // namespace
}  // namespace ridgepoint
