// What the phases plan before they touch the GPU.
#include "collector/attention/phases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collector/attention/profiling_tools.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_library.h"

namespace ridgepoint::collector {
namespace {

using ::testing::HasSubstr;

DeviceInfo h200() {
  DeviceInfo device;
  device.sm_count = 132;
  device.sm_clock_max_hz = 1.98e9;
  return device;
}

TEST(PlanSampling, LongRunsAreSampledRarelyAndShortOnesOften) {
  const SamplingPlan small = plan_sampling(1e8, h200());
  const SamplingPlan large = plan_sampling(1e15, h200());
  EXPECT_EQ(small.period_log2, 10U);
  EXPECT_EQ(small.repeats, 50);
  EXPECT_GT(large.period_log2, small.period_log2);
  EXPECT_EQ(large.repeats, 3);
}

TEST(PlanSampling, PeriodStaysInCuptisRangeForEveryProblem) {
  for (double flop = 0; flop < 1e30; flop = flop * 10 + 1) {
    const SamplingPlan plan = plan_sampling(flop, h200());
    EXPECT_GE(plan.period_log2, 5U);
    EXPECT_LE(plan.period_log2, 31U);
    EXPECT_GE(plan.repeats, 1);
  }
}

class PrepareCounters : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto found = load_cupti(cupti_candidates());
    if (!found) {
      GTEST_SKIP() << "libcupti is not installed: " << format_error(found.error());
    }
    api = *found;
  }
  const CuptiApi* api = nullptr;
  Missing missing;
};

TEST_F(PrepareCounters, H200PlansItsProfilesWithoutAGpu) {
  const auto lite = prepare_counters(*api, "GH100", "lite", missing);
  ASSERT_TRUE(lite) << format_error(lite.error());
  EXPECT_EQ(lite->plan.passes, 1U);
  const auto full = prepare_counters(*api, "GH100", "full", missing);
  ASSERT_TRUE(full);
  EXPECT_GT(full->plan.passes, lite->plan.passes);
  EXPECT_TRUE(missing.errors().empty());
}

TEST_F(PrepareCounters, ChipWithoutACounterMapIsADeviceError) {
  const auto tools = prepare_counters(*api, "GX999", "lite", missing);
  ASSERT_FALSE(tools);
  EXPECT_EQ(tools.error().domain, ErrorDomain::device);
}

TEST_F(PrepareCounters, ChipWhoseCountersCuptiRefusesIsADeviceError) {
  const auto tools = prepare_counters(*api, "GV11B", "lite", missing);
  ASSERT_FALSE(tools);
  EXPECT_EQ(tools.error().domain, ErrorDomain::device);
}

TEST_F(PrepareCounters, UnknownProfileIsAUsageError) {
  const auto tools = prepare_counters(*api, "GH100", "heavy", missing);
  ASSERT_FALSE(tools);
  EXPECT_EQ(tools.error().domain, ErrorDomain::usage);
  EXPECT_THAT(tools.error().hint, HasSubstr("default"));
}

}  // namespace
}  // namespace ridgepoint::collector
