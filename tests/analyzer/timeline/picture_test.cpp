#include "analyzer/timeline/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace ridgepoint {
namespace {

TimelineSpan span(std::int64_t from, std::int64_t to, std::uint32_t item = 0) {
  return {from, to, item, no_detail};
}

TEST(LanePicture, WideSpansAreDrawnAsTheyAre) {
  const std::vector<TimelineSpan> spans = {span(0, 100, 1), span(150, 400, 2)};
  const auto marks = lane_picture(spans, {0, 1000}, 100);
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_EQ(marks[1].start_ns, 150);
  EXPECT_EQ(marks[1].end_ns, 400);
  EXPECT_EQ(marks[1].item, 2U);
  EXPECT_EQ(marks[1].first, 1U);
  EXPECT_EQ(marks[1].count, 1);
}

TEST(LanePicture, NarrowNeighboursBecomeOneMarkWithTheirShareAndTheirLongestKernel) {
  const std::vector<TimelineSpan> spans = {span(0, 10, 1), span(20, 60, 2), span(90, 100, 1)};
  const auto marks = lane_picture(spans, {0, 1000}, 10);
  ASSERT_EQ(marks.size(), 1U);
  EXPECT_EQ(marks[0].count, 3);
  EXPECT_EQ(marks[0].item, 2U);
  EXPECT_EQ(marks[0].start_ns, 0);
  EXPECT_EQ(marks[0].end_ns, 100);
  EXPECT_DOUBLE_EQ(marks[0].busy, 0.6);
}

TEST(LanePicture, OnlyWhatTheWindowTouches) {
  const std::vector<TimelineSpan> spans = {span(0, 100), span(100, 300), span(400, 500),
                                           span(600, 700)};
  const auto marks = lane_picture(spans, {200, 450}, 10);
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_EQ(marks[0].first, 1U) << "began before";
  EXPECT_EQ(marks[1].first, 2U) << "ends after";
}

TEST(LanePicture, AMillionSpansMakeFewMarksAndTakeNoTimeThatIsFelt) {
  std::vector<TimelineSpan> spans;
  for (std::int64_t i = 0; i < 1'000'000; ++i) {
    spans.push_back(span(10 * i, 10 * i + 5, static_cast<std::uint32_t>(i % 50)));
  }
  const auto start = std::chrono::steady_clock::now();
  const auto marks = lane_picture(spans, {0, 10'000'000}, 1000);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LE(marks.size(), 3000U);
  std::int64_t all = 0;
  for (const PictureMark& mark : marks) {
    all += mark.count;
    EXPECT_NEAR(mark.busy, 0.5, 0.01);
  }
  EXPECT_EQ(all, 1'000'000) << "none is lost";
  EXPECT_LT(taken.count(), 2.0) << "of a debug build on a busy machine";
}

TEST(TickPicture, OneMarkAColumnSaysHowManyThereAre) {
  const std::vector<TimelineSpan> ticks = {span(5, 5), span(7, 7), span(250, 250), span(999, 999)};
  const auto marks = tick_picture(ticks, {0, 1000}, 10);
  ASSERT_EQ(marks.size(), 3U);
  EXPECT_EQ(marks[0].count, 2);
  EXPECT_EQ(marks[1].start_ns, 250);
}

TEST(SpanAt, FindsWhatIsUnderTheMomentElseTheNearest) {
  const std::vector<TimelineSpan> spans = {span(0, 100), span(150, 160), span(300, 400)};
  EXPECT_EQ(span_at(spans, 50, 0), 0U);
  EXPECT_EQ(span_at(spans, 155, 20), 1U);
  EXPECT_EQ(span_at(spans, 140, 20), 1U);
  EXPECT_EQ(span_at(spans, 112, 20), 0U);
  EXPECT_FALSE(span_at(spans, 200, 20));
  EXPECT_FALSE(span_at({}, 200, 20));
}

TEST(SpanAt, OfThoseThatHoldTheMomentTheLastLiesInFront) {
  const std::vector<TimelineSpan> spans = {span(0, 100), span(20, 80), span(90, 95)};
  EXPECT_EQ(span_at(spans, 50, 0), 1U);
}

}  // namespace
}  // namespace ridgepoint
