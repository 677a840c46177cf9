#include "analyzer/analysis/ranges.h"

#include <gmock/gmock.h>

#include "analyzer/analysis/analyse.h"
#include "tests/support/sample_session.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// step, opened twice, holds scores and softmax the first time and fused the second; "output" is
// opened inside the first step.
struct Ranges : ::testing::Test {
  Session session = testing::sample_session();

  Ranges() {
    session.ranges = {{"step", "app", 1, 0, 50, no_index},
                      {"output", "app", 1, 30, 40, 0},
                      {"step", "app", 1, 60, 90, no_index}};
    session.launches[testing::scores_launch].range = 0;
    session.launches[testing::softmax_launch].range = 0;
    session.launches[testing::output_launch].range = 1;
    session.launches[testing::fused_launch].range = 2;
    for (std::size_t launch = 0; launch < 4; ++launch) {
      testing::set_quantity(session, launch, "hbm_read_bytes", 100.0 * (1 << launch));
      testing::set_quantity(session, launch, "hbm_write_bytes", 1.0 * (1 << launch));
      testing::set_quantity(session, launch, "time_s", 1e-3 * (1 << launch));
    }
  }

  Analysis analysed() const {
    auto analysis = analyse(session);
    EXPECT_TRUE(analysis) << (analysis ? "" : analysis.error().why);
    return analysis.value_or(Analysis());
  }
  static const RangeAnalysis& range(const Analysis& analysis, const std::string& path) {
    for (const RangeAnalysis& one : analysis.ranges) {
      if (one.path == path) {
        return one;
      }
    }
    ADD_FAILURE() << "no range " << path;
    static const RangeAnalysis none;
    return none;
  }
};

TEST_F(Ranges, HoldTheTrafficOfTheirLaunchesAndOfInnerRanges) {
  const Analysis analysis = analysed();
  const RangeAnalysis& step = range(analysis, "step");
  EXPECT_EQ(step.occurrences, 2);
  EXPECT_EQ(step.launches, 4);
  EXPECT_DOUBLE_EQ(*step.traffic[MemoryLevel::hbm].read, 1500);
  EXPECT_DOUBLE_EQ(*step.traffic[MemoryLevel::hbm].write, 15);
  EXPECT_DOUBLE_EQ(*step.traffic[MemoryLevel::hbm].total, 1515);
  EXPECT_DOUBLE_EQ(*step.time_s, 15e-3);
  const RangeAnalysis& inner = range(analysis, "step/output");
  EXPECT_EQ(inner.launches, 1);
  EXPECT_DOUBLE_EQ(*inner.traffic[MemoryLevel::hbm].read, 400);
}

TEST_F(Ranges, TheWholeRunIsTheSumOfItsKernels) {
  session.launches[testing::fused_launch].range = no_index;  // outside every range
  const Analysis analysis = analysed();
  ASSERT_TRUE(analysis.run);
  EXPECT_EQ(analysis.run->launches, 4);
  EXPECT_DOUBLE_EQ(*analysis.run->traffic[MemoryLevel::hbm].read, 1500);
  EXPECT_DOUBLE_EQ(*range(analysis, "step").traffic[MemoryLevel::hbm].read, 700);
}

TEST_F(Ranges, ASumLacksWhatOneLaunchLacks) {
  testing::clear_quantity(session, testing::output_launch, "hbm_read_bytes");
  const Analysis analysis = analysed();
  EXPECT_FALSE(range(analysis, "step").traffic[MemoryLevel::hbm].read);
  EXPECT_FALSE(range(analysis, "step/output").traffic[MemoryLevel::hbm].total);
  EXPECT_TRUE(range(analysis, "step").traffic[MemoryLevel::hbm].write);
  EXPECT_FALSE(analysis.run->traffic[MemoryLevel::hbm].read);
}

TEST_F(Ranges, NestedDeeperThanSixteenCountForTheOuterOne) {
  session.ranges = {{"0", "", 1, 0, 1, no_index}};
  for (std::int64_t depth = 1; depth < 1000; ++depth) {
    session.ranges.push_back({std::to_string(depth), "", 1, 0, 1, depth - 1});
  }
  for (Launch& launch : session.launches) {
    launch.range = 999;
  }
  const Analysis analysis = analysed();
  EXPECT_EQ(analysis.ranges.size(), 16U);
  EXPECT_EQ(range(analysis, "0").launches, 4);
}

TEST_F(Ranges, RangesWithoutLaunchesAndRunsWithoutRangesHaveNothingToSay) {
  for (Launch& launch : session.launches) {
    launch.range = no_index;
  }
  EXPECT_THAT(analysed().ranges, IsEmpty());
  EXPECT_FALSE(whole_run({}));
}

}  // namespace
}  // namespace ridgepoint
