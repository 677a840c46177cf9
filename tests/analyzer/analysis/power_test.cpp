#include "analyzer/analysis/power.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/analysis/analyse.h"
#include "analyzer/gate/conditions.h"
#include "analyzer/session/clock_reasons.h"
#include "tests/support/sample_session.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t second_ns = 1000000000;

// One second, 10,000 runs, 20 steps of the counter: 380 J in 0.95 s.
PowerPhase energy_of(const std::string& variant) {
  PowerPhase phase;
  phase.name = "energy";
  phase.variant = variant;
  phase.start_ns = 10 * second_ns;
  phase.end_ns = 11 * second_ns;
  phase.runs = 10000;
  phase.samples = 100;
  phase.energy_updates = 20;
  phase.energy_j = 380;
  phase.energy_s = 0.95;
  phase.power_mean_w = 390;
  return phase;
}

PowerPhase latency_phase() {
  PowerPhase phase = energy_of("");
  phase.name = "latency";
  phase.runs = 0;
  phase.busy_samples = 100;
  phase.sm_clock_min_hz = 1.95e9;
  phase.sm_clock_max_hz = 1.98e9;
  return phase;
}

Analysis analysed(const std::vector<PowerPhase>& phases) {
  Session session = ridgepoint::testing::sample_session();
  session.power_phases = phases;
  for (std::int64_t i = 0; i < 4; ++i) {
    PowerSample sample;
    sample.time_ns = 10 * second_ns + (3 - i) * 10000000;
    sample.power_w = 300 + static_cast<double>(i);
    session.power.push_back(sample);
  }
  return analyse(session).value();
}

const VariantAnalysis& fused(const Analysis& analysis) {
  return analysis.variants.at(1);
}

std::vector<std::string> codes(const Analysis& analysis) {
  std::vector<std::string> found;
  for (const Issue& issue : analysis.issues) {
    found.push_back(issue.code);
  }
  return found;
}

TEST(Power, EnergyOfARunIsPowerByTheCounterTimesItsTimeBackToBack) {
  const Analysis analysis = analysed({energy_of("fused")});
  EXPECT_DOUBLE_EQ(fused(analysis).power_w.value(), 400);
  EXPECT_DOUBLE_EQ(fused(analysis).sustained_s.value(), 1e-4);
  EXPECT_NEAR(fused(analysis).energy_j.value(), 0.04, 1e-12);
  EXPECT_NEAR(fused(analysis).flop_per_j.value(), *fused(analysis).analytic_flop / 0.04, 1);
  EXPECT_NEAR(fused(analysis).tokens_per_j.value(), 4096 / 0.04, 1e-6);
  EXPECT_FALSE(analysis.variants[0].energy_j) << "naive was not watched";
}

TEST(Power, APhaseTooShortForTheCounterHasPowerButNoEnergy) {
  PowerPhase brief = energy_of("fused");
  brief.energy_updates = fewest_energy_updates - 1;
  const Analysis analysis = analysed({brief});
  EXPECT_DOUBLE_EQ(fused(analysis).power_w.value(), 390) << "the mean of the samples";
  EXPECT_FALSE(fused(analysis).energy_j);
  EXPECT_FALSE(fused(analysis).flop_per_j);
  EXPECT_FALSE(fused(analysis).tokens_per_j);
  EXPECT_FALSE(analysis.power.at(0).phases.at(0).energy_j);
}

TEST(Power, TheRunAsAWholeHasTheEnergyOfItsPhases) {
  const Analysis analysis = analysed({latency_phase()});
  const PowerTrace& trace = analysis.power.at(0);
  EXPECT_NEAR(trace.phases.at(0).energy_j.value(), 400, 1e-9);
  EXPECT_EQ(trace.time_s.size(), 4U);
  EXPECT_TRUE(std::is_sorted(trace.time_s.begin(), trace.time_s.end()));
  EXPECT_DOUBLE_EQ(trace.power_w.front(), 303);
}

TEST(Power, WithoutAWatchThereIsNothingToSay) {
  const Analysis analysis = analyse(ridgepoint::testing::sample_session()).value();
  EXPECT_TRUE(analysis.power.empty());
  EXPECT_FALSE(fused(analysis).power_w || fused(analysis).energy_j);
}

TEST(WatchedClocks, SteadyClocksRaiseNothing) {
  PowerPhase phase = latency_phase();
  phase.clock_reasons = clock_reason_idle | 0x2 /* application clocks */ | 0x10 /* sync boost */;
  EXPECT_THAT(codes(analysed({phase})), ::testing::Not(::testing::Contains(HasSubstr("clocks."))));
}

TEST(WatchedClocks, HeatGivesTheGateNoVerdictOnTimes) {
  PowerPhase phase = latency_phase();
  phase.slowed_samples = 3;
  phase.clock_reasons = clock_reason_hw_thermal;
  const Analysis analysis = analysed({phase});
  EXPECT_THAT(codes(analysis), ::testing::Contains("clocks.throttled"));
  const std::vector<Difference> unmet = unmet_conditions({}, analysis);
  ASSERT_EQ(unmet.size(), 1U);
  EXPECT_EQ(unmet[0].spoils, Spoils::timing);
}

TEST(WatchedClocks, ThePowerLimitIsStatedAndSpoilsNoVerdict) {
  PowerPhase phase = latency_phase();
  phase.power_capped_samples = 40;
  phase.clock_reasons = clock_reason_power_cap;
  const Analysis analysis = analysed({phase});
  EXPECT_THAT(codes(analysis), ::testing::Contains("clocks.power_capped"));
  EXPECT_TRUE(unmet_conditions({}, analysis).empty());
}

TEST(WatchedClocks, ClocksThatMovedWhileBusyAreTold) {
  PowerPhase phase = latency_phase();
  phase.sm_clock_min_hz = 1.98e9 / 1.06;
  EXPECT_THAT(codes(analysed({phase})), ::testing::Contains("clocks.moved"));
  phase.sm_clock_min_hz = 1.98e9 / 1.04;
  EXPECT_THAT(codes(analysed({phase})), ::testing::Not(::testing::Contains("clocks.moved")));
}

TEST(WatchedClocks, PhasesForEnergyAloneMayRunIntoTheLimit) {
  PowerPhase phase = energy_of("fused");
  phase.power_capped_samples = 90;
  phase.busy_samples = 100;
  phase.sm_clock_min_hz = 1.4e9;
  phase.sm_clock_max_hz = 1.98e9;
  const Analysis analysis = analysed({phase});
  EXPECT_THAT(codes(analysis), ::testing::Not(::testing::Contains(HasSubstr("clocks."))));
  EXPECT_DOUBLE_EQ(analysis.power.at(0).phases.at(0).power_capped_share.value(), 0.9);
}

}  // namespace
}  // namespace ridgepoint
