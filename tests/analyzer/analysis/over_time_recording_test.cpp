// Power, clocks and counters over time as an H200 gave them (tests/data/over-time).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/session/check.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

Session over_time(const std::string& name) {
  return read_session(std::string(RIDGEPOINT_SOURCE_DIR) + "/tests/data/over-time/" + name).value();
}

const VariantAnalysis& variant(const Analysis& analysis, const char* name) {
  return *std::find_if(analysis.variants.begin(), analysis.variants.end(),
                       [&](const VariantAnalysis& v) { return v.name == name; });
}

bool has_issue(const Analysis& analysis, const std::string& code) {
  return std::any_of(analysis.issues.begin(), analysis.issues.end(),
                     [&](const Issue& issue) { return issue.code == code; });
}

double mean(const std::vector<double>& values, double from, double to) {
  const auto at = [&](double share) {
    return values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size()));
  };
  double sum = 0;
  for (auto value = at(from); value != at(to); ++value) {
    sum += *value;
  }
  return sum / static_cast<double>(at(to) - at(from));
}

const std::vector<double>& channel(const PmTrace& trace, const char* id) {
  return std::find_if(trace.channels.begin(), trace.channels.end(),
                      [&](const PmChannel& c) { return c.id == id; })
      ->values;
}

TEST(OverTimeRecording, FusionSavesEnergyAsItSavesTime) {
  const Session session = over_time("attention-n16384-d64.ridge");
  ASSERT_EQ(session_fault(session), "");
  const Analysis analysis = test_support::analysed(session);
  const VariantAnalysis& naive = variant(analysis, "naive");
  const VariantAnalysis& hopper = variant(analysis, "hopper");
  EXPECT_NEAR(naive.energy_j.value(), 3.61, 0.02);
  EXPECT_NEAR(hopper.energy_j.value(), 0.823, 0.005);
  EXPECT_NEAR(hopper.flop_per_j.value() / naive.flop_per_j.value(), 4.38, 0.05);
  EXPECT_NEAR(hopper.tokens_per_j.value(), 16384 / hopper.energy_j.value(), 1);
  EXPECT_LT(naive.power_w.value(), 705) << "the board's limit is 700 W";
  EXPECT_LT(hopper.power_w.value(), 705);
}

TEST(OverTimeRecording, LatencyWasTimedAtThePowerLimitAndIsTold) {
  const Analysis analysis = test_support::analysed(over_time("attention-n16384-d64.ridge"));
  EXPECT_TRUE(has_issue(analysis, "clocks.power_capped"));
  EXPECT_TRUE(has_issue(analysis, "clocks.moved"));
  EXPECT_FALSE(has_issue(analysis, "clocks.throttled"));
  const PowerPhaseTrace& latency = analysis.power.at(0).phases.at(0);
  EXPECT_EQ(latency.name, "latency");
  EXPECT_FALSE(latency.energy_j) << "0.4 s are four steps of the counter";
}

TEST(OverTimeRecording, TheThreeKernelsOfNaiveAttentionAreSeenOneAfterAnother) {
  const Analysis analysis = test_support::analysed(over_time("attention-n16384-d64.ridge"));
  const PmTrace& naive = analysis.pm_traces.at(0);
  ASSERT_EQ(naive.variant, "naive");
  EXPECT_NEAR(naive.duration_s, variant(analysis, "naive").latency->p50, 0.2e-3);
  // Scores: tensor cores work and S is written. Softmax: read and written. Output: P is read.
  const auto& tensor = channel(naive, "tensor_pipe_share");
  const auto& read = channel(naive, "hbm_read_share");
  const auto& write = channel(naive, "hbm_write_share");
  EXPECT_GT(mean(tensor, 0.05, 0.25), 0.2);
  EXPECT_LT(mean(tensor, 0.40, 0.70), 0.01);
  EXPECT_GT(mean(tensor, 0.85, 0.97), 0.2);
  EXPECT_LT(mean(read, 0.05, 0.25), 0.05);
  EXPECT_GT(mean(write, 0.05, 0.25), 0.4);
  EXPECT_GT(mean(read, 0.40, 0.70), 0.3);
  EXPECT_GT(mean(write, 0.40, 0.70), 0.3);
  EXPECT_GT(mean(read, 0.85, 0.97), 0.6);
  EXPECT_LT(mean(write, 0.85, 0.97), 0.1);
}

TEST(OverTimeRecording, TheFusedKernelHardlyTouchesHbmAndItsTailIsSeen) {
  const Analysis analysis = test_support::analysed(over_time("attention-n16384-d64.ridge"));
  const PmTrace& hopper = analysis.pm_traces.at(1);
  EXPECT_LT(mean(channel(hopper, "hbm_read_share"), 0, 1), 0.03);
  EXPECT_GT(mean(channel(hopper, "sm_active_share"), 0.1, 0.75), 0.99);
  EXPECT_LT(channel(hopper, "sm_active_share").back(), 0.6) << "SMs run dry before the last one";
}

TEST(OverTimeRecording, TheLaunchersSeriesAndTheProgramsLaunchesShareAClock) {
  const Session session = over_time("profile-matmul.ridge");
  ASSERT_EQ(session_fault(session), "");
  const std::int64_t first_ns = session.launches.front().start_ns;
  const std::int64_t last_ns = session.launches.back().end_ns;
  double busiest_before_w = 0;
  double least_during_w = 1e9;
  for (const PowerSample& sample : session.power) {
    const std::int64_t settled_ns = 300000000;
    if (sample.time_ns < first_ns) {
      busiest_before_w = std::max(busiest_before_w, sample.power_w);
    } else if (sample.time_ns > last_ns - 1000000000 && sample.time_ns < last_ns - settled_ns) {
      least_during_w = std::min(least_during_w, sample.power_w);
    }
  }
  EXPECT_LT(busiest_before_w, 200);
  EXPECT_GT(least_during_w, 500) << "while matrices are multiplied";
  const Analysis analysis = test_support::analysed(session);
  EXPECT_NEAR(analysis.power.at(0).phases.at(0).energy_j.value(), 2045, 10);
}

}  // namespace
}  // namespace ridgepoint
