#include "collector/profile/overhead.h"

#include <gtest/gtest.h>

namespace ridgepoint::collector {
namespace {

Policy measured(double run_s, double measuring_s) {
  Policy policy;
  policy.run_s = run_s;
  policy.measuring_s = measuring_s;
  set_overhead(policy);
  return policy;
}

TEST(Overhead, IsTheRunOverWhatOfItWasNoMeasuring) {
  EXPECT_DOUBLE_EQ(measured(12, 8).overhead_factor.value_or(0), 3);
  EXPECT_FALSE(measured(1, 1).overhead_factor) << "nothing is left to compare with";
  Policy unknown;
  set_overhead(unknown);
  EXPECT_FALSE(unknown.overhead_factor);
}

TEST(Overhead, ARunForMeasuringAloneCountsWhole) {
  Policy policy = measured(3, 1);
  add_measuring_run(policy, 4);
  EXPECT_EQ(policy.run_s, 7);
  EXPECT_EQ(policy.measuring_s, 5);
  EXPECT_DOUBLE_EQ(policy.overhead_factor.value_or(0), 3.5);
}

TEST(Overhead, IsUnknownOnceARunOfUnknownLengthWasMade) {
  Policy policy = measured(3, 1);
  add_measuring_run(policy, std::nullopt);
  EXPECT_FALSE(policy.run_s);
  EXPECT_FALSE(policy.measuring_s);
  EXPECT_FALSE(policy.overhead_factor);
}

}  // namespace
}  // namespace ridgepoint::collector
