#include "analyzer/timeline/analyse_timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/analyzer/timeline/timeline_of.h"
#include "tests/analyzer/timeline/timeline_session.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using test_support::add_copy;
using test_support::add_launch;
using test_support::add_range;
using test_support::empty_profile;
using test_support::recording;
using test_support::timeline_of;
using test_support::us;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(AnalyseTimeline, ThereIsOneLaneAStreamAKindOfCopyAndAThread) {
  Session session = empty_profile();
  add_range(session, "step", 0, 100);
  add_launch(session, 0, 10, 20).range = 0;
  add_launch(session, 1, 15, 30, 13);
  add_copy(session, "copy host to device", 4096, 5, 8);
  add_copy(session, "fill", 64, 8, 9);
  add_launch(session, 0, 10, 20, 7, 1);
  const auto timeline = timeline_of(session);
  ASSERT_NE(timeline, nullptr);
  std::vector<std::tuple<std::uint32_t, LaneKind, std::size_t>> lanes;
  for (const TimelineLane& lane : timeline->lanes) {
    lanes.emplace_back(lane.device, lane.kind, lane.spans.size());
  }
  EXPECT_THAT(
      lanes,
      ElementsAre(std::tuple(0U, LaneKind::kernels, 1U), std::tuple(0U, LaneKind::kernels, 1U),
                  std::tuple(0U, LaneKind::memory, 1U), std::tuple(0U, LaneKind::memory, 1U),
                  std::tuple(1U, LaneKind::kernels, 1U), std::tuple(0U, LaneKind::ranges, 1U)));
  EXPECT_EQ(timeline->duration_ns, 100 * us) << "ranges reach further than the kernels";
  const TimelineSpan& gemm = timeline->lanes[0].spans[0];
  EXPECT_EQ(gemm.start_ns, 10 * us);
  EXPECT_EQ(gemm.end_ns, 20 * us);
  EXPECT_EQ(timeline->path(gemm.detail), "step");
  EXPECT_EQ(timeline->path(timeline->lanes[1].spans[0].detail), "") << "in no range";
  const TimelineSpan& copy = timeline->lanes[2].spans[0];
  EXPECT_EQ(timeline->names[copy.item], "copy host to device");
  EXPECT_EQ(timeline->bytes[copy.detail], 4096U);
}

TEST(AnalyseTimeline, RangesInsideOneAnotherAndKernelsSideBySideGetRowsOfTheirOwn) {
  Session session = empty_profile();
  add_range(session, "step", 0, 100);
  add_range(session, "forward", 0, 40, 0);
  add_range(session, "backward", 40, 90, 0);
  add_launch(session, 0, 10, 30);
  add_launch(session, 1, 20, 40);  // programmatic dependent launch begins before the other ends
  const auto timeline = timeline_of(session);
  ASSERT_THAT(timeline->lanes, SizeIs(4));
  EXPECT_EQ(timeline->lanes[1].row, 1U);
  EXPECT_EQ(timeline->lanes[1].spans[0].item, 1U);
  EXPECT_THAT(timeline->lanes[2].spans, SizeIs(1));
  EXPECT_THAT(timeline->lanes[3].spans, SizeIs(2)) << "forward and backward, below their step";
  EXPECT_EQ(timeline->path(timeline->lanes[3].spans[1].detail), "step/backward");
}

TEST(AnalyseTimeline, LaunchesWithoutATimeAreTicksAndNoKernelsOfNoLength) {
  Session session = empty_profile();
  add_launch(session, 0, 10, 20);
  add_launch(session, 0, 25, 25);
  add_launch(session, 1, 30, 30);
  const auto timeline = timeline_of(session);
  ASSERT_THAT(timeline->lanes, SizeIs(1));
  EXPECT_THAT(timeline->lanes[0].spans, SizeIs(1));
  ASSERT_THAT(timeline->lanes[0].ticks, SizeIs(2));
  EXPECT_EQ(timeline->lanes[0].ticks[1].start_ns, 20 * us);
  EXPECT_EQ(timeline->lanes[0].ticks[1].item, 1U);
  EXPECT_EQ(timeline->duration_ns, 20 * us) << "ticks are within the picture";
}

TEST(AnalyseTimeline, SessionsWithoutOneHaveNone) {
  EXPECT_EQ(timeline_of(empty_profile()), nullptr);
  Session counted = empty_profile();
  add_launch(counted, 0, 10, 10);  // as counters leave them
  EXPECT_EQ(timeline_of(counted), nullptr);
  EXPECT_EQ(timeline_of(recording("profile-three-kernels")), nullptr);
  EXPECT_EQ(timeline_of(recording()), nullptr) << "runs of a workload, made one by one";
}

TEST(AnalyseTimeline, AForgedFileMakesNoPictureWithoutEnd) {
  Session session = empty_profile();
  for (std::uint32_t stream = 0; stream < 2000; ++stream) {
    add_launch(session, 0, 10, 20, stream);
    add_launch(session, 0, 10, 20, 0);  // all at once in one stream
  }
  add_launch(session, 0, -2'000'000'000'000'000, 1);  // before 1970: no time
  const auto timeline = timeline_of(session);
  EXPECT_EQ(timeline->lanes.size(), most_lanes);
  EXPECT_EQ(timeline->lanes_left_out, 2000 + most_rows - 1 - most_lanes);
  EXPECT_EQ(timeline->devices[0].launches, 4000) << "numbers are of all";
  EXPECT_EQ(timeline->devices[0].busy_ns, 10 * us);
}

TEST(AnalyseTimeline, ARecordingHasAllItsKernelsCopiesAndRanges) {
  const Session session = recording("profile-training-timeline");
  const auto timeline = timeline_of(session);
  ASSERT_NE(timeline, nullptr);
  std::size_t kernels = 0;
  std::size_t memory = 0;
  std::size_t ranges = 0;
  for (const TimelineLane& lane : timeline->lanes) {
    (lane.kind == LaneKind::kernels  ? kernels
     : lane.kind == LaneKind::memory ? memory
                                     : ranges) += lane.spans.size();
  }
  EXPECT_EQ(kernels, session.launches.size());
  EXPECT_EQ(memory, session.memory_operations.size());
  EXPECT_EQ(ranges, session.ranges.size());
}

}  // namespace
}  // namespace ridgepoint
