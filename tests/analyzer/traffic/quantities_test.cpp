#include "analyzer/traffic/quantities.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

#include "tests/support/sample_session.h"

namespace ridgepoint {
namespace {

using ::testing::Contains;
using ::testing::Not;

// Launches 0 and 1 of the sample: 75 and 120 microseconds.
struct QuantitiesOfTwoLaunches : ::testing::Test {
  Session session = testing::sample_session();
  CounterMap map = load_counter_map("GH100").value();
  std::vector<std::string> incomplete;
  std::optional<double> first_time_s() { return LaunchCounters(session, &map).time_s(0); }
  Quantities gather() {
    const std::vector<LaunchCounters> counters(session.devices.size(),
                                               LaunchCounters(session, &map));
    return counters[0].gather({0, 1}, launch_times_s(session, counters), incomplete);
  }
};

TEST_F(QuantitiesOfTwoLaunches, BytesAndTimeAddUp) {
  testing::set_quantity(session, 0, "hbm_read_bytes", 100);
  testing::set_quantity(session, 1, "hbm_read_bytes", 23);
  EXPECT_DOUBLE_EQ(*gather().get("hbm_read_bytes"), 123);
  EXPECT_NEAR(*gather().get("time_s"), 195e-6, 1e-12);
  EXPECT_THAT(incomplete, Not(Contains("hbm_read_bytes")));
}

TEST_F(QuantitiesOfTwoLaunches, SharesAreWeightedByTime) {
  testing::set_quantity(session, 0, "warps_active_share", 0.2);
  testing::set_quantity(session, 1, "warps_active_share", 0.8);
  EXPECT_NEAR(*gather().get("warps_active_share"), (75 * 0.2 + 120 * 0.8) / 195, 1e-9);
}

TEST_F(QuantitiesOfTwoLaunches, ASumThatMissesALaunchIsNotGiven) {
  testing::clear_quantity(session, 1, "hbm_read_bytes");
  EXPECT_FALSE(gather().get("hbm_read_bytes"));
  EXPECT_THAT(incomplete, Contains("hbm_read_bytes"));
}

TEST_F(QuantitiesOfTwoLaunches, WhatNobodyMeasuredIsAbsentAndNoComplaint) {
  EXPECT_FALSE(gather().get("xu_pipe_share"));
  EXPECT_THAT(incomplete, Not(Contains("xu_pipe_share")));
}

TEST_F(QuantitiesOfTwoLaunches, APartStandsInWhereTheWholeWasNotCounted) {
  testing::set_quantity(session, 0, "tensor_bf16_flop", 1000);
  testing::clear_quantity(session, 1, "tensor_bf16_flop");
  testing::set_quantity(session, 0, "tensor_bf16_dense_flop", 7);
  testing::set_quantity(session, 1, "tensor_bf16_dense_flop", 20);
  EXPECT_DOUBLE_EQ(*gather().get("tensor_bf16_flop"), 1020) << "the whole goes before the part";
  EXPECT_THAT(incomplete, Not(Contains("tensor_bf16_flop")));
}

TEST_F(QuantitiesOfTwoLaunches, NothingOfAPartIsNotNothingOfTheWhole) {
  for (const std::size_t launch : {0, 1}) {
    testing::clear_quantity(session, launch, "tensor_tf32_flop");
    testing::set_quantity(session, launch, "tensor_tf32_dense_flop", 0);
  }
  EXPECT_FALSE(gather().get("tensor_tf32_flop"));
}

TEST_F(QuantitiesOfTwoLaunches, WithoutACountedTimeTheTimelineServes) {
  testing::clear_quantity(session, 0, "time_s");
  EXPECT_FALSE(first_time_s());
  session.launches[0].start_ns = 1000;
  session.launches[0].end_ns = 3500;
  EXPECT_NEAR(*first_time_s(), 2.5e-6, 1e-15);
}

RC_GTEST_PROP(LaunchCounters, TheBytesOfManyLaunchesAreThoseOfTheirPartsTogether, ()) {
  Session session = testing::sample_session();
  const CounterMap map = load_counter_map("GH100").value();
  for (std::size_t launch = 0; launch < session.launches.size(); ++launch) {
    testing::set_quantity(session, launch, "hbm_read_bytes", *rc::gen::inRange(0, 1 << 30));
  }
  const std::vector<LaunchCounters> counters(session.devices.size(), LaunchCounters(session, &map));
  const std::vector<double> times_s = launch_times_s(session, counters);
  std::vector<std::uint32_t> all;
  std::array<std::vector<std::uint32_t>, 2> parts;
  for (std::uint32_t launch = 0; launch < session.launches.size(); ++launch) {
    all.push_back(launch);
    parts[*rc::gen::inRange<std::size_t>(0, 2)].push_back(launch);
  }
  std::vector<std::string> incomplete;
  const auto bytes = [&](const std::vector<std::uint32_t>& launches) {
    return counters[0].gather(launches, times_s, incomplete).get("hbm_read_bytes").value_or(0);
  };
  RC_ASSERT(bytes(all) == bytes(parts[0]) + bytes(parts[1]));
  RC_ASSERT(std::count(incomplete.begin(), incomplete.end(), "hbm_read_bytes") == 0);
}

}  // namespace
}  // namespace ridgepoint
