#include "analyzer/occupancy/occupancy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/sample_session.h"

namespace ridgepoint {
namespace {

const DeviceInfo device = testing::sample_device();  // the limits of compute capability 9.0
const AllocationUnits units;

OccupancyResult of(const BlockResources& block) {
  return occupancy(block, device, units).value();
}

TEST(Occupancy, SmallBlocksAreLimitedByWarpsOrByBlocks) {
  EXPECT_EQ(of({1024, 32, 0}).blocks_per_sm, 2);
  EXPECT_EQ(of({1024, 32, 0}).limiter, "registers, warps");
  EXPECT_EQ(of({32, 16, 0}).blocks_per_sm, 32);
  EXPECT_EQ(of({32, 16, 0}).limiter, "blocks");
  EXPECT_DOUBLE_EQ(of({32, 16, 0}).share, 0.5);
}

TEST(Occupancy, RegistersAreHandedOutByTheWarpInUnitsOf256) {
  // 64 x 32 = 2,048 a warp; 16,384 a sub-partition hold 8 warps; 32 warps are 4 blocks of 8.
  EXPECT_EQ(of({256, 64, 0}).blocks_per_sm, 4);
  EXPECT_EQ(of({256, 64, 0}).limiter, "registers");
  // 65 registers round up to 72: 2,304 a warp, 7 a sub-partition, 28 warps, 3 blocks.
  EXPECT_EQ(of({256, 65, 0}).blocks_per_sm, 3);
}

TEST(Occupancy, EachBlockLosesTheReservedKilobyteOfSharedMemory) {
  // 233,472 bytes an SM: two blocks of 116,736 fit, of which 1,024 each are reserved.
  EXPECT_EQ(of({128, 32, 115712}).blocks_per_sm, 2);
  EXPECT_EQ(of({128, 32, 115713}).blocks_per_sm, 1);
  EXPECT_EQ(of({128, 32, 115713}).limiter, "shared memory");
  EXPECT_EQ(of({128, 32, 232448}).blocks_per_sm, 1);
}

TEST(Occupancy, ABlockThatDoesNotFitGivesNoBlocks) {
  EXPECT_EQ(of({128, 32, 300000}).blocks_per_sm, 0);
  EXPECT_EQ(of({1024, 255, 0}).blocks_per_sm, 0);
}

TEST(Occupancy, NonsenseIsAnError) {
  EXPECT_FALSE(occupancy({0, 32, 0}, device, units));
  EXPECT_FALSE(occupancy({32, 32, -1}, device, units));
  EXPECT_FALSE(occupancy({std::int64_t{1} << 60, 32, 0}, device, units));
  EXPECT_FALSE(occupancy({32, 32, 0}, DeviceInfo(), units));
}

TEST(Occupancy, WavesCountTheWholeDevice) {
  EXPECT_DOUBLE_EQ(waves(264, 1, 132), 2.0);
  EXPECT_DOUBLE_EQ(waves(256, 2, 132), 256.0 / 264);
  EXPECT_DOUBLE_EQ(waves(256, 0, 132), 0.0);
}

RC_GTEST_PROP(Occupancy, MoreResourcesABlockNeverMeanMoreBlocks, ()) {
  const BlockResources small{*rc::gen::inRange(1, 1025), *rc::gen::inRange(0, 256),
                             *rc::gen::inRange(0, 240000)};
  BlockResources large = small;
  large.registers_per_thread += *rc::gen::inRange(0, 64);
  large.smem_bytes += *rc::gen::inRange(0, 60000);
  RC_ASSERT(small.registers_per_thread == 0 || of(large).blocks_per_sm <= of(small).blocks_per_sm);
  RC_ASSERT(of(small).share <= 1.0);
}

}  // namespace
}  // namespace ridgepoint
