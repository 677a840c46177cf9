#include "collector/inject/nvtx_ranges.h"

#include <gtest/gtest.h>

#include <tuple>

namespace ridgepoint::collector {
namespace {

constexpr std::uint64_t main_thread = 1;
constexpr std::uint64_t other_thread = 2;

NvtxPattern pattern(const std::string& text, const std::string& domain = "") {
  Result<NvtxPattern> parsed = NvtxPattern::parse(text, domain);
  EXPECT_TRUE(parsed) << format_error(parsed.error());
  return std::move(*parsed);
}

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
  const NvtxPattern step = pattern("step");
  ranges.set_filter(&step, NvtxScope::automatic);
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

TEST(NvtxRanges, APatternIsFoundInwardsWhateverLiesBetween) {
  const NvtxPattern nested = pattern("^step/^layer");
  NvtxRanges ranges;
  ranges.set_filter(&nested, NvtxScope::automatic);
  ranges.push(main_thread, "", "layer 1", 1);
  ranges.push(main_thread, "", "step", 2);
  EXPECT_FALSE(ranges.place(main_thread).matches) << "the layer is outside of the step";
  ranges.push(main_thread, "", "forward", 3);
  ranges.push(main_thread, "", "layer 2", 4);
  ranges.push(main_thread, "", "softmax", 5);
  EXPECT_TRUE(ranges.place(main_thread).matches);
}

TEST(NvtxRanges, OneRangeIsOnePartOfAPattern) {
  const NvtxPattern twice = pattern("step/step");
  NvtxRanges ranges;
  ranges.set_filter(&twice, NvtxScope::automatic);
  ranges.push(main_thread, "", "step", 1);
  EXPECT_FALSE(ranges.place(main_thread).matches);
  ranges.push(main_thread, "", "step", 2);
  EXPECT_TRUE(ranges.place(main_thread).matches);
}

TEST(NvtxRanges, StartedRangesStandWhereTheyWereOpened) {
  const NvtxPattern nested = pattern("epoch/step");
  NvtxRanges ranges;
  ranges.set_filter(&nested, NvtxScope::automatic);
  ranges.start(other_thread, "", "epoch", 1);
  ranges.push(main_thread, "", "step", 2);
  EXPECT_TRUE(ranges.place(main_thread).matches);
  const NvtxPattern reversed = pattern("step/epoch");
  NvtxRanges others;
  others.set_filter(&reversed, NvtxScope::automatic);
  others.start(other_thread, "", "epoch", 1);
  others.push(main_thread, "", "step", 2);
  EXPECT_FALSE(others.place(main_thread).matches);
}

TEST(NvtxRanges, TheScopeSaysWhoseRangesCount) {
  // A thread with ranges of its own: autograd under torch.autograd.profiler.emit_nvtx().
  const NvtxPattern step = pattern("step");
  for (const auto& [scope, without, with] :
       {std::tuple(NvtxScope::automatic, true, false), std::tuple(NvtxScope::thread, false, false),
        std::tuple(NvtxScope::process, true, true)}) {
    NvtxRanges ranges;
    ranges.set_filter(&step, scope);
    ranges.push(main_thread, "", "step", 1);
    EXPECT_EQ(ranges.place(other_thread).matches, without);
    ranges.push(other_thread, "", "backward", 2);
    EXPECT_EQ(ranges.place(other_thread).matches, with);
    EXPECT_TRUE(ranges.place(main_thread).matches);
  }
}

TEST(NvtxPattern, ADomainIsExactAndAnEmptyOneIsTheOneWithoutName) {
  EXPECT_EQ(pattern("train@step").parts_of("train", "step"), 1U);
  EXPECT_EQ(pattern("train@step").parts_of("training", "step"), 0U);
  EXPECT_EQ(pattern("train@step").parts_of("", "step"), 0U);
  EXPECT_EQ(pattern("@step").parts_of("", "step"), 1U);
  EXPECT_EQ(pattern("@step").parts_of("train", "step"), 0U);
  EXPECT_EQ(pattern("step").parts_of("anything", "step 7"), 1U);
  EXPECT_EQ(pattern("", "train").parts_of("train", "whatever"), 1U);
  EXPECT_EQ(pattern("step", "train").parts_of("eval", "step"), 0U);
}

TEST(NvtxPattern, SeparatorsCanBeMeantThemselves) {
  EXPECT_EQ(pattern("a\\/b").parts(), 1U);
  EXPECT_EQ(pattern("a\\/b").parts_of("", "a/b"), 1U);
  EXPECT_EQ(pattern("me\\@home").parts_of("any", "me@home"), 1U);
  EXPECT_EQ(pattern("f\\(x\\)").parts_of("", "f(x)"), 1U) << "other backslashes are the regex's";
  EXPECT_EQ(pattern("outer/inner/").parts(), 2U);
  EXPECT_EQ(pattern("^step$/").parts(), 1U) << "as Nsight Compute wants it";
  EXPECT_EQ(pattern("^step$/").parts_of("", "step"), 1U);
}

TEST(NvtxPattern, MistakesAreBadUsage) {
  for (const char* text : {"a//b", "/a", "a(", "a/b("}) {
    const auto parsed = NvtxPattern::parse(text, "");
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().domain, ErrorDomain::usage);
  }
  EXPECT_FALSE(NvtxPattern::parse("train@step", "train")) << "two domains";
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
