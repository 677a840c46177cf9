#include "collector/nvml/power_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/session/clock_reasons.h"

namespace ridgepoint::collector {
namespace {

constexpr std::int64_t ms = 1000000;

PowerSample sample(std::int64_t time_ms, double energy_j, double clock_hz = 1.9e9,
                   std::int64_t reasons = 0) {
  PowerSample s;
  s.time_ns = time_ms * ms;
  s.power_w = 400;
  s.energy_j = energy_j;
  s.sm_clock_hz = clock_hz;
  s.temperature_c = 50;
  s.clock_reasons = reasons;
  return s;
}

// The counter moves every 50 ms by 20 J (400 W), and is read every 10 ms.
TEST(PowerLog, EnergyIsTakenFromOneStepOfTheCounterToAnother) {
  PowerLog log(1000);
  log.begin_phase("energy", "fused", 3 * ms);
  for (std::int64_t t = 3; t < 1003; t += 10) {
    log.add(sample(t, 20.0 * static_cast<double>(t / 50)));
  }
  log.end_phase(1003 * ms, 500);
  ASSERT_EQ(log.phases().size(), 1U);
  const PowerPhase& phase = log.phases().front();
  EXPECT_EQ(phase.energy_updates, 19);
  EXPECT_DOUBLE_EQ(phase.energy_j.value(), 18 * 20.0);
  EXPECT_NEAR(phase.energy_j.value() / phase.energy_s.value(), 400, 1e-6);
  EXPECT_EQ(phase.runs, 500);
  EXPECT_EQ(phase.samples, 100);
  EXPECT_EQ(phase.variant, "fused");
  EXPECT_EQ(phase.start_ns, 3 * ms);
  EXPECT_EQ(phase.end_ns, 1003 * ms);
}

TEST(PowerLog, APhaseInWhichTheCounterStoodStillHasNoEnergy) {
  PowerLog log(1000);
  log.begin_phase("latency", "", 0);
  log.add(sample(0, 7));
  log.add(sample(10, 7));
  log.add(sample(20, 8));
  log.end_phase(21 * ms, 0);
  EXPECT_EQ(log.phases().front().energy_updates, 1);
  EXPECT_FALSE(log.phases().front().energy_j) << "one step has no other end";
}

TEST(PowerLog, IdleSamplesCountForNoClock) {
  PowerLog log(1000);
  log.begin_phase("program", "", 0);
  log.add(sample(0, 1, 3.45e8, clock_reason_idle));
  log.add(sample(10, 2, 1.9e9));
  log.add(sample(20, 3, 1.7e9, clock_reason_power_cap));
  log.add(sample(30, 4, 1.2e9, clock_reason_hw_thermal | clock_reason_hw_slowdown));
  log.end_phase(40 * ms, 0);
  const PowerPhase& phase = log.phases().front();
  EXPECT_EQ(phase.busy_samples, 3);
  EXPECT_DOUBLE_EQ(phase.sm_clock_min_hz.value(), 1.2e9);
  EXPECT_DOUBLE_EQ(phase.sm_clock_max_hz.value(), 1.9e9);
  EXPECT_DOUBLE_EQ(phase.sm_clock_mean_hz.value(), 1.6e9);
  EXPECT_EQ(phase.power_capped_samples, 1);
  EXPECT_EQ(phase.slowed_samples, 1);
  EXPECT_EQ(phase.clock_reasons, clock_reason_idle | clock_reason_power_cap |
                                     clock_reason_hw_thermal | clock_reason_hw_slowdown);
}

TEST(PowerLog, ALongRunKeepsEvenlySpacedSamplesWithinItsBound) {
  PowerLog log(100);
  log.begin_phase("program", "", 0);
  for (std::int64_t t = 0; t < 10000; ++t) {
    log.add(sample(t, static_cast<double>(t)));
  }
  log.end_phase(10000 * ms, 0);
  ASSERT_LE(log.samples().size(), 100U);
  ASSERT_GE(log.samples().size(), 50U);
  const std::int64_t step = log.samples()[1].time_ns - log.samples()[0].time_ns;
  for (std::size_t i = 1; i < log.samples().size(); ++i) {
    EXPECT_EQ(log.samples()[i].time_ns - log.samples()[i - 1].time_ns, step);
  }
  EXPECT_EQ(log.phases().front().samples, 10000) << "summed up from all, kept or not";
}

TEST(PowerLog, ANewPhaseEndsTheOneBefore) {
  PowerLog log(10);
  log.end_phase(1, 0);
  log.begin_phase("latency", "", 5);
  log.begin_phase("energy", "naive", 9);
  log.end_phase(20, 3);
  ASSERT_EQ(log.phases().size(), 2U);
  EXPECT_EQ(log.phases()[0].end_ns, 9);
  EXPECT_EQ(log.phases()[1].start_ns, 9);
}

}  // namespace
}  // namespace ridgepoint::collector
