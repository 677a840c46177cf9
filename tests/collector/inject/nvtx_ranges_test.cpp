#include "collector/inject/nvtx_ranges.h"

#include <gtest/gtest.h>

namespace ridgepoint::collector {
namespace {

constexpr std::uint64_t main_thread = 1;
constexpr std::uint64_t other_thread = 2;

TEST(NvtxRanges, NestedRangesComeParentsFirstAndEndLater) {
  NvtxRanges ranges;
  ranges.push(main_thread, "", "step", 10);
  ranges.push(main_thread, "", "forward", 20);
  const NvtxRanges::News first = ranges.take_news();
  ASSERT_EQ(first.opened.size(), 2U);
  EXPECT_EQ(first.opened[0].name, "step");
  EXPECT_EQ(first.opened[1].parent, 0);
  EXPECT_EQ(first.opened[1].end_ns, 0) << "still open";
  ranges.pop(main_thread, "", 30);
  const NvtxRanges::News second = ranges.take_news();
  ASSERT_EQ(second.ended.size(), 1U);
  EXPECT_EQ(second.ended[0].range, 1U);
  EXPECT_EQ(second.ended[0].end_ns, 30);
}

TEST(NvtxRanges, EachDomainPopsItsOwn) {
  NvtxRanges ranges;
  ranges.push(main_thread, "a", "outer", 1);
  ranges.push(main_thread, "b", "inner", 2);
  ranges.pop(main_thread, "a", 3);
  EXPECT_EQ(ranges.place(main_thread).innermost, 1) << "b's range is still open";
  ranges.pop(main_thread, "a", 4);
  EXPECT_EQ(ranges.place(main_thread).innermost, 1) << "a pop without push changes nothing";
}

TEST(NvtxRanges, ALaunchStandsInTheRangesOfItsOwnThread) {
  NvtxRanges ranges;
  ranges.push(main_thread, "", "main", 1);
  ranges.push(other_thread, "", "other", 2);
  EXPECT_EQ(ranges.place(main_thread).innermost, 0);
  EXPECT_EQ(ranges.place(other_thread).innermost, 1);
}

TEST(NvtxRanges, AThreadWithoutRangesStandsInThoseThatAreOpenElsewhere) {
  NvtxRanges ranges;
  ranges.set_matcher([](const std::string&, const std::string& name) { return name == "step"; });
  ranges.push(main_thread, "", "step", 1);
  ranges.push(main_thread, "", "backward", 2);
  const NvtxRanges::Place autograd = ranges.place(other_thread);
  EXPECT_EQ(autograd.innermost, 1);
  EXPECT_TRUE(autograd.matches) << "an outer range counts as well";
  ranges.pop(main_thread, "", 3);
  ranges.pop(main_thread, "", 4);
  EXPECT_EQ(ranges.place(other_thread).innermost, no_index);
  EXPECT_FALSE(ranges.place(other_thread).matches);
}

TEST(NvtxRanges, StartedRangesHoldForEveryThreadUntilTheyEnd) {
  NvtxRanges ranges;
  const std::uint64_t id = ranges.start(main_thread, "", "epoch", 1);
  EXPECT_EQ(ranges.place(other_thread).innermost, 0);
  ranges.end(id, 5);
  EXPECT_EQ(ranges.place(other_thread).innermost, no_index);
  EXPECT_EQ(ranges.take_news().ended.at(0).end_ns, 5);
}

TEST(NvtxRanges, NamesAreMadeSafeAndBounded) {
  NvtxRanges ranges;
  ranges.push(main_thread, "", "evil \x1b[2J \xff" + std::string(5000, 'x'), 1);
  const NvtxRange range = ranges.take_news().opened.at(0);
  EXPECT_EQ(range.name.find('\x1b'), std::string::npos);
  EXPECT_EQ(range.name.find('\xff'), std::string::npos);
  EXPECT_LE(range.name.size(), 1024U);
}

TEST(NvtxRanges, AProcessThatNobodyReadsGathersNotWithoutEnd) {
  NvtxRanges ranges;
  for (int i = 0; i < 100000; ++i) {
    ranges.push(main_thread, "", "r", i);
    ranges.pop(main_thread, "", i);
  }
  const std::size_t kept = ranges.take_news().opened.size();
  EXPECT_LT(kept, 100000U);
  EXPECT_EQ(kept + ranges.left_out(), 100000U);
}

}  // namespace
}  // namespace ridgepoint::collector
