#include "analyzer/timeline/activity.h"

#include <gtest/gtest.h>

#include "analyzer/timeline/analyse_timeline.h"
#include "tests/analyzer/timeline/timeline_of.h"
#include "tests/analyzer/timeline/timeline_session.h"

namespace ridgepoint {
namespace {

using test_support::add_copy;
using test_support::add_launch;
using test_support::empty_profile;
using test_support::timeline_of;
using test_support::us;

TEST(Activity, BusyIsTheTimeInWhichAnythingRuns) {
  Session session = empty_profile();
  add_launch(session, 0, 0, 40);
  add_launch(session, 1, 20, 60, 13);  // beside the first
  add_copy(session, "copy host to device", 1'000'000, 50, 70);
  add_launch(session, 0, 90, 100);
  const DeviceActivity device = timeline_of(session)->devices.at(0);
  EXPECT_EQ(device.span_ns(), 100 * us);
  EXPECT_EQ(device.busy_ns, 80 * us);
  EXPECT_DOUBLE_EQ(device.busy_share().value(), 0.8);
  EXPECT_EQ(device.kernel_ns, 70 * us);
  EXPECT_EQ(device.memory_ns, 20 * us);
  EXPECT_EQ(device.overlap_ns(), 10 * us) << "of the copy, beside the second kernel";
}

TEST(Activity, TheLargestGapIsNamedByWhatLiesAroundIt) {
  Session session = empty_profile();
  add_copy(session, "fill", 64, 0, 10);
  add_launch(session, 1, 15, 30);
  add_launch(session, 0, 70, 80);
  const auto timeline = timeline_of(session);
  const auto gap = timeline->devices.at(0).largest_gap;
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->start_ns, 30 * us);
  EXPECT_EQ(gap->end_ns, 70 * us);
  EXPECT_EQ(gap->before.item, 1U);
  EXPECT_EQ(gap->after.item, 0U);
}

TEST(Activity, WhereLaunchesHaveNoTimeNoGapIsClaimed) {
  Session session = empty_profile();
  add_launch(session, 1, 15, 30);
  add_launch(session, 0, 50, 50);
  add_launch(session, 0, 70, 80);
  const DeviceActivity device = timeline_of(session)->devices.at(0);
  EXPECT_EQ(device.launches, 3);
  EXPECT_EQ(device.untimed, 1);
  EXPECT_FALSE(device.largest_gap);
}

TEST(Activity, EachDeviceHasItsOwn) {
  Session session = empty_profile();
  add_launch(session, 0, 0, 10);
  add_launch(session, 0, 40, 60, 7, 1);
  const auto devices = timeline_of(session)->devices;
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[1].device, 1U);
  EXPECT_EQ(devices[1].first_ns, 40 * us);
  EXPECT_DOUBLE_EQ(devices[1].busy_share().value(), 1);
  EXPECT_FALSE(devices[1].largest_gap);
}

TEST(Activity, CopiesAddUpByKind) {
  Session session = empty_profile();
  add_copy(session, "copy host to device", 1'000'000, 0, 100);
  add_copy(session, "copy host to device", 3'000'000, 200, 300);
  add_copy(session, "fill", 1, 300, 300);
  const auto memory = timeline_of(session)->memory;
  ASSERT_EQ(memory.size(), 2U);
  EXPECT_EQ(memory[0].count, 2);
  EXPECT_DOUBLE_EQ(memory[0].bytes, 4e6);
  EXPECT_NEAR(memory[0].bytes_per_s().value(), 2e10, 1);
  EXPECT_FALSE(memory[1].bytes_per_s()) << "no time was taken";
}

TEST(Activity, TheBusiestStretchIsFoundInALongIdleRun) {
  Session session = empty_profile();
  add_launch(session, 0, 0, 10);
  for (std::int64_t i = 0; i < 10; ++i) {
    add_launch(session, 1, 800'000 + 20 * i, 800'010 + 20 * i);
  }
  add_launch(session, 0, 1'000'000, 1'000'010);
  const auto busiest = timeline_of(session)->busiest;
  ASSERT_TRUE(busiest);
  EXPECT_NEAR(static_cast<double>(busiest->from_ns), 800e6, 1e6);
  EXPECT_GE(busiest->to_ns, 800'200 * us) << "to the end of the last";
  EXPECT_LT(busiest->to_ns - busiest->from_ns, 2'000 * us);
}

TEST(Activity, AnEvenRunHasNoBusiestStretch) {
  Session session = empty_profile();
  for (std::int64_t i = 0; i < 100; ++i) {
    add_launch(session, 1, 20 * i, 20 * i + 10);
  }
  EXPECT_FALSE(timeline_of(session)->busiest);
}

}  // namespace
}  // namespace ridgepoint
