#include "reports/presenters/trace_charts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/presenters/tables.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

Analysis watched() {
  Analysis analysis;
  PowerTrace power;
  power.time_s = {0, 1, 2, 3, 4};
  power.power_w = {100, 300, 500, 500, nothing};
  power.sm_clock_hz = {1.9e9, 1.9e9, 1.7e9, 1.7e9, 1.9e9};
  power.memory_clock_hz = power.temperature_c = std::vector<double>(5, nothing);
  PowerPhaseTrace phase;
  phase.name = "energy";
  phase.variant = "fused";
  phase.start_s = 1;
  phase.duration_s = 2;
  phase.runs = 7;
  phase.power_w = 433;
  power.phases = {phase};
  analysis.power = {power};
  PmTrace trace;
  trace.variant = "fused";
  trace.interval_s = 1e-5;
  trace.duration_s = 2e-5;
  trace.time_s = {0.5e-5, 1.5e-5};
  trace.channels = {{"hbm_read_share", "share", "bytes", {0.25, 0.75}},
                    {"other_share", "share", "", {nothing, nothing}}};
  analysis.pm_traces = {trace};
  return analysis;
}

TEST(TraceCharts, ShowPowerOverTheRunAndThenEachVariantsRun) {
  const std::vector<TraceChart> charts = trace_charts(watched());
  ASSERT_EQ(charts.size(), 2U);
  ASSERT_EQ(charts[0].panels.size(), 2U);
  EXPECT_EQ(charts[0].panels[0].title, "Power");
  EXPECT_DOUBLE_EQ(charts[0].panels[0].mean.value(), 350);
  EXPECT_DOUBLE_EQ(charts[0].panels[0].highest.value(), 500);
  ASSERT_EQ(charts[0].marks.size(), 1U);
  EXPECT_EQ(charts[0].marks[0].label, "fused");
  EXPECT_DOUBLE_EQ(charts[0].marks[0].end_s, 3);
  ASSERT_EQ(charts[1].panels.size(), 1U) << "a channel without a value has no panel";
  EXPECT_EQ(charts[1].panels[0].title, "HBM read");
  EXPECT_DOUBLE_EQ(charts[1].panels[0].top, 1) << "shares are drawn against the whole";
}

// Naive attention runs three kernels, fused attention one: a single launch is not called a run.
TEST(TraceCharts, SayWhatRanWhileTheCountersWereSampled) {
  std::vector<std::string> titles;
  for (const TraceChart& chart : trace_charts(test_support::analysed(test_support::recording()))) {
    titles.push_back(chart.title);
  }
  EXPECT_THAT(titles,
              ElementsAre("Power and clocks over the run", "One run of naive over time: 3 launches",
                          "One launch of fused_attention_forward over time, the whole of fused",
                          "One launch of hopper_attention_forward over time, the whole of hopper"));
  EXPECT_EQ(trace_charts(watched())[1].title, "One run of fused over time") << "kernels not known";
}

TEST(TraceCharts, BinsAreMeansAndStayEmptyWhereNothingWasSampled) {
  const TraceChart chart = trace_charts(watched())[0];
  EXPECT_THAT(binned(chart, chart.panels[0], 2), ElementsAre(200, 500));
  const std::vector<double> fine = binned(chart, chart.panels[0], 8);
  EXPECT_DOUBLE_EQ(fine[2], 300);
  EXPECT_TRUE(std::isnan(fine[1]));
}

TEST(TraceCharts, NothingWatchedIsNoChartAndNoTable) {
  EXPECT_TRUE(trace_charts(Analysis()).empty());
  EXPECT_TRUE(power_table(Analysis()).rows.empty());
}

TEST(PowerTable, HasARowAPhaseAndNoEnergyWhereTheCounterWasTooSlow) {
  const Table table = power_table(watched());
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(std::get<std::string>(table.rows[0].cells[0]), "energy of fused");
  EXPECT_EQ(std::get<double>(table.rows[0].cells[3]), 433);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[0].cells[4]));
}

}  // namespace
}  // namespace ridgepoint
