#include "analyzer/traffic/quantities.h"

#include <gmock/gmock.h>

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
  Quantities gather() { return gather_quantities(session, map, {0, 1}, incomplete); }
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

TEST_F(QuantitiesOfTwoLaunches, WithoutACountedTimeTheTimelineServes) {
  testing::clear_quantity(session, 0, "time_s");
  EXPECT_FALSE(launch_time_s(session, &map, 0));
  session.launches[0].start_ns = 1000;
  session.launches[0].end_ns = 3500;
  EXPECT_NEAR(*launch_time_s(session, &map, 0), 2.5e-6, 1e-15);
}

}  // namespace
}  // namespace ridgepoint
