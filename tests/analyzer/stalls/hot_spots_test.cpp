#include "analyzer/stalls/hot_spots.h"

#include <gmock/gmock.h>

namespace ridgepoint {
namespace {

std::vector<HotSpot> spots_of(const Session& session, std::size_t kernel = 0) {
  std::vector<KernelAnalysis> kernels(1);
  kernels[0].session_kernel = kernel;
  fill_hot_spots(kernels, session);
  return kernels[0].hot_spots;
}

TEST(HotSpots, AreTheInstructionsWithMostSamplesAndTheirMainState) {
  Session session;
  session.stall_reasons = {"selected", "long_scoreboard"};
  session.pc_samples = {{0, 0, 0, 10, 0},
                        {0, 32, 0, 15, 0},
                        {0, 32, 1, 45, 40},
                        {0, 48, 1, 30, 5},
                        {1, 0, 1, 999, 999}};
  const std::vector<HotSpot> spots = spots_of(session);
  ASSERT_EQ(spots.size(), 3U);
  EXPECT_EQ(spots[0].pc_offset, 32U);
  EXPECT_EQ(spots[0].samples, 60);
  EXPECT_DOUBLE_EQ(spots[0].share, 0.6);
  EXPECT_EQ(spots[0].reason, "long_scoreboard");
  EXPECT_DOUBLE_EQ(spots[0].reason_share, 0.75);
  EXPECT_EQ(spots[1].pc_offset, 48U);
  EXPECT_EQ(spots_of(session, 1).size(), 1U);
}

TEST(HotSpots, HaveTheInstructionAndLineThatTheSessionKnows) {
  Session session;
  session.stall_reasons = {"wait"};
  session.pc_samples = {{0, 16, 0, 10, 0}, {0, 32, 0, 5, 0}};
  session.source_files = {"/src/a.cu"};
  session.instructions = {{0, 16, "EXIT", 0, 12}, {1, 32, "of another kernel", no_index, 0}};
  const std::vector<HotSpot> spots = spots_of(session);
  ASSERT_EQ(spots.size(), 2U);
  EXPECT_EQ(spots[0].sass, "EXIT");
  EXPECT_EQ(spots[0].source_file, "/src/a.cu");
  EXPECT_EQ(spots[0].source_line, 12U);
  EXPECT_TRUE(spots[1].sass.empty());
}

TEST(HotSpots, AreTenAtMostInTheOrderOfTheCodeWhenEqual) {
  Session session;
  session.stall_reasons = {"wait"};
  for (std::uint64_t i = 0; i < 30; ++i) {
    session.pc_samples.push_back({0, 16 * (29 - i), 0, 5, 5});
  }
  const std::vector<HotSpot> spots = spots_of(session);
  ASSERT_EQ(spots.size(), hot_spot_limit);
  EXPECT_EQ(spots.front().pc_offset, 0U);
  EXPECT_DOUBLE_EQ(spots.front().share, 1.0 / 30);  // of all samples, not of those shown
}

TEST(HotSpots, AreAbsentWithoutSamples) {
  EXPECT_TRUE(spots_of(Session()).empty());
}

}  // namespace
}  // namespace ridgepoint
