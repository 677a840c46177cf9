#include "collector/inject/recorder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/session/check.h"

namespace ridgepoint::collector {
namespace {

KernelRecord kernel(const char* mangled, std::uint32_t correlation) {
  KernelRecord record;
  record.mangled = mangled;
  record.correlation = correlation;
  record.registers_per_thread = 32;
  record.grid = {7, 1, 1};
  record.start_ns = 100 * correlation;
  record.end_ns = record.start_ns + 50;
  return record;
}

Recorder::Expectation expectation(const char* mangled, bool counters) {
  Recorder::Expectation launch;
  launch.shape.mangled = mangled;
  launch.shape.grid = {7, 1, 1};
  launch.counters = counters;
  return launch;
}

const CounterNames names =
    std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"a.sum", "b.sum"});

class RecorderTest : public ::testing::Test {
 protected:
  // As the tool does: every device that was seen is described before something is taken.
  static Session take(Recorder& recorder, Recorder::Part part) {
    while (const auto ordinal = recorder.undescribed_device()) {
      DeviceInfo device;
      device.name = "GPU";
      recorder.describe_device(*ordinal, device);
    }
    return recorder.take(part).value();
  }
};

TEST_F(RecorderTest, ATimelineKeepsEveryRecordWithItsKernelOnce) {
  Recorder recorder(Recorder::Keep::every_launch);
  recorder.record(0, kernel("_Z5firstv", 1));
  recorder.record(0, kernel("_Z5firstv", 2));
  recorder.record(0, kernel("_Z6secondv", 3));
  const Session session = take(recorder, Recorder::Part::complete);
  EXPECT_EQ(session.launches.size(), 3U);
  ASSERT_EQ(session.kernels.size(), 2U);
  EXPECT_EQ(session.kernels[0].name, "first()");
  EXPECT_EQ(session.kernels[0].registers_per_thread, 32);
  EXPECT_EQ(session.launches[1].end_ns, 250);
  EXPECT_EQ(session_fault(session), "");
}

TEST_F(RecorderTest, BuildsOfOneNameAreDifferentKernels) {
  Recorder recorder(Recorder::Keep::every_launch);
  KernelRecord other = kernel("_Z5firstv", 2);
  other.registers_per_thread = 64;
  recorder.record(0, kernel("_Z5firstv", 1));
  recorder.record(0, other);
  EXPECT_EQ(take(recorder, Recorder::Part::complete).kernels.size(), 2U);
}

TEST_F(RecorderTest, ACountedLaunchWaitsForRecordAndCountersInAnyOrder) {
  Recorder recorder(Recorder::Keep::expected_launch);
  recorder.expect(1, expectation("_Z5firstv", true));
  recorder.expect(2, expectation("_Z5firstv", true));
  recorder.counters(1, names, {1, 2});
  recorder.record(0, kernel("_Z5firstv", 2));
  EXPECT_TRUE(take(recorder, Recorder::Part::complete).launches.empty());
  recorder.record(0, kernel("_Z5firstv", 1));
  recorder.counters(2, names, {3, 4});
  const Session session = take(recorder, Recorder::Part::complete);
  ASSERT_EQ(session.launches.size(), 2U);
  ASSERT_EQ(session.counters.names, *names);
  EXPECT_EQ(session.counters.columns[1], (std::vector<double>{2, 4}));
}

TEST_F(RecorderTest, LaunchesNotAnnouncedAreLeftOutWhenOnlyChosenOnesAreCounted) {
  Recorder recorder(Recorder::Keep::expected_launch);
  recorder.record(0, kernel("_Z5firstv", 1));
  recorder.memory_operation(0, {});
  const Session session = take(recorder, Recorder::Part::everything);
  EXPECT_TRUE(session.launches.empty());
  EXPECT_TRUE(session.memory_operations.empty());
  EXPECT_EQ(recorder.records_seen(), 1U);
}

TEST_F(RecorderTest, LostCountersAreNotMeasuredAndNotZero) {
  Recorder recorder(Recorder::Keep::expected_launch);
  recorder.expect(1, expectation("_Z5firstv", true));
  recorder.expect(2, expectation("_Z5firstv", true));
  recorder.record(0, kernel("_Z5firstv", 1));
  recorder.record(0, kernel("_Z5firstv", 2));
  recorder.counters(1, names, {1, 2});
  recorder.no_counters(2);
  const Session session = take(recorder, Recorder::Part::complete);
  ASSERT_EQ(session.launches.size(), 2U);
  EXPECT_TRUE(std::isnan(session.counters.columns[0][1]));
}

TEST_F(RecorderTest, AtTheEndALaunchWithoutRecordKeepsWhatItsCallSaid) {
  Recorder recorder(Recorder::Keep::expected_launch);
  recorder.expect(1, expectation("_Z5firstv", true));
  recorder.counters(1, names, {1, 2});
  const Session session = take(recorder, Recorder::Part::everything);
  ASSERT_EQ(session.launches.size(), 1U);
  EXPECT_EQ(session.launches[0].grid.x, 7U);
  EXPECT_FALSE(session.kernels.at(0).registers_per_thread.has_value());
}

// A kernel or graph of 0 ns would be as good as free, and one from the year 1970 ruin a timeline.
TEST_F(RecorderTest, ARecordWithoutTimesIsAKernelOfUnknownTime) {
  Recorder recorder(Recorder::Keep::every_launch);
  KernelRecord no_end = kernel("_Z5firstv", 2);
  no_end.end_ns = 0;
  KernelRecord no_times = kernel("_Z5firstv", 3);
  no_times.start_ns = no_times.end_ns = 0;
  recorder.record(0, kernel("_Z5firstv", 1));
  recorder.record(0, no_end);
  recorder.record(0, no_times);
  recorder.graph(0, {4, 7, 4, 0, 0});
  EXPECT_TRUE(take(recorder, Recorder::Part::complete).issues.empty()) << "told once, at the end";
  recorder.record(0, no_end);
  const Session session = take(recorder, Recorder::Part::everything);
  ASSERT_EQ(session.issues.size(), 1U);
  EXPECT_EQ(session.issues[0].code, "timeline.no_times");
  EXPECT_NE(session.issues[0].text.find("gave 4 launches no times"), std::string::npos);
  ASSERT_EQ(session.launches.size(), 1U);
  EXPECT_EQ(session.launches[0].start_ns, 0);
  EXPECT_EQ(session.launches[0].end_ns, 0);
}

// CUPTI gives whatever is launched from within a launch call that call's correlation.
TEST_F(RecorderTest, KernelsOfOursAreNotTakenForTheLaunchTheyWereMadeIn) {
  Recorder recorder(Recorder::Keep::expected_launch);
  Recorder::Expectation expected = expectation("_Z5firstv", true);
  KernelRecord own = kernel("_Z5firstv", 1);
  expected.not_before_ns = own.end_ns + 1000;
  recorder.expect(1, expected);
  recorder.counters(1, names, {1, 2});
  recorder.record(0, kernel("ridgepoint_compare", 1));
  recorder.record(0, own);  // a replay, before the launch itself
  EXPECT_TRUE(take(recorder, Recorder::Part::complete).launches.empty());
  KernelRecord real = own;
  real.start_ns = expected.not_before_ns;
  real.end_ns = real.start_ns + 5;
  recorder.record(0, real);
  const Session session = take(recorder, Recorder::Part::complete);
  ASSERT_EQ(session.launches.size(), 1U);
  EXPECT_EQ(session.launches[0].start_ns, real.start_ns);
}

TEST_F(RecorderTest, AFailedLaunchLeavesNoRow) {
  Recorder recorder(Recorder::Keep::expected_launch);
  recorder.expect(1, expectation("_Z5firstv", true));
  recorder.forget(1);
  EXPECT_TRUE(take(recorder, Recorder::Part::everything).launches.empty());
}

TEST_F(RecorderTest, NothingIsHandedOutBeforeItsDeviceIsDescribed) {
  Recorder recorder(Recorder::Keep::every_launch);
  MemoryOperation copy;
  copy.kind = "copy host to device";
  copy.bytes = 4096;
  recorder.memory_operation(0, copy);
  EXPECT_FALSE(recorder.take(Recorder::Part::complete).has_value());
  EXPECT_EQ(take(recorder, Recorder::Part::complete).memory_operations.at(0).bytes, 4096U);
}

TEST_F(RecorderTest, TheSameTroubleIsSaidOnce) {
  Recorder recorder(Recorder::Keep::every_launch);
  recorder.issue_once("counters.unavailable", "no");
  recorder.issue_once("counters.unavailable", "no");
  EXPECT_EQ(take(recorder, Recorder::Part::complete).issues.size(), 1U);
}

}  // namespace
}  // namespace ridgepoint::collector
