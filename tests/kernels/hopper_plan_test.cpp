// How the Hopper variant cuts a problem into tiles; needs no GPU.
#include <gtest/gtest.h>

#include "kernels/attention/hopper/plan.h"

namespace ridgepoint::kernels::hopper {
namespace {

AttentionProblem problem(int seqlen_k, int heads, int kv_heads) {
  AttentionProblem p;
  p.heads = heads;
  p.kv_heads = kv_heads;
  p.seqlen_q = 1000;
  p.seqlen_k = seqlen_k;
  p.head_dim = 128;
  return p;
}

TEST(HopperPlan, TheLastQueryTileMayBePartial) {
  TileShape tile{};
  tile.block_m = 192;
  EXPECT_EQ(query_tiles(problem(1, 3, 3), tile), 6);
  EXPECT_EQ(total_tiles(problem(1, 3, 3), tile), 18);
}

TEST(HopperPlan, CountsTilesBeyond32Bits) {
  TileShape tile{};
  tile.block_m = 128;
  AttentionProblem p = problem(1, 1 << 14, 1);
  p.batch = 1 << 14;
  EXPECT_EQ(total_tiles(p, tile), std::int64_t{8} << 28);
}

TEST(HopperPlan, SequencesThat192RowsDivideBadlyTakeTilesOf256) {
  AttentionProblem p = problem(512, 1, 1);
  p.head_dim = 64;
  p.heads = p.kv_heads = 132;  // whole rounds of an H200's grid, whatever the tile
  const auto wide = [&](int seqlen_q) {
    p.seqlen_q = seqlen_q;
    return wide_tiles(p, 132);
  };
  for (const int seqlen : {193, 200, 256, 385, 512, 961, 1024}) {
    EXPECT_TRUE(wide(seqlen)) << seqlen;
  }
  for (const int seqlen : {1, 64, 192, 257, 384, 513, 768, 960, 1025, 2048, 4096}) {
    EXPECT_FALSE(wide(seqlen)) << seqlen;
  }
}

TEST(HopperPlan, TilesOf256RowsMustPayInWholeRoundsOfTheGrid) {
  AttentionProblem p = problem(512, 16, 16);
  p.head_dim = 64;
  p.batch = 32;
  p.seqlen_q = 512;
  EXPECT_TRUE(wide_tiles(p, 132)) << "12 rounds of 192 rows, 8 of 256";
  p.batch = 1;
  EXPECT_FALSE(wide_tiles(p, 132)) << "one round of either: the shorter tile ends first";
  p.batch = 13;
  p.seqlen_q = 1280;
  EXPECT_TRUE(wide_tiles(p, 132)) << "11.03 rounds of 192 rows are 12, 7.9 of 256 are 8";
}

TEST(HopperPlan, OnlyHeadDimension64WithoutAMaskAndWithFewKeysTakesTilesOf256Rows) {
  AttentionProblem p = problem(512, 512, 512);
  p.head_dim = 64;
  p.seqlen_q = 512;
  ASSERT_TRUE(wide_tiles(p, 132));
  AttentionProblem other = p;
  other.causal = true;
  EXPECT_FALSE(wide_tiles(other, 132));
  other = p;
  other.head_dim = 128;
  EXPECT_FALSE(wide_tiles(other, 132));
  other = p;
  other.seqlen_k = 8192;
  EXPECT_FALSE(wide_tiles(other, 132));
}

// K and V of a key/value head at N = 16384, d = 128 take 8 MiB.
TEST(HopperPlan, ASectionHoldsTheHeadsWhoseKeysAndValuesStayInL2) {
  EXPECT_EQ(section_heads(problem(16384, 16, 16)), 4);
  EXPECT_EQ(section_heads(problem(16384, 64, 8)), 32) << "query heads share their group's K and V";
}

TEST(HopperPlan, ASectionHasAtLeastOneKeyValueHeadAndAtMostAllHeads) {
  EXPECT_EQ(section_heads(problem(1 << 20, 16, 4)), 4);
  EXPECT_EQ(section_heads(problem(16, 16, 4)), 16);
  EXPECT_EQ(section_heads(problem(0, 16, 4)), 4);
}

}  // namespace
}  // namespace ridgepoint::kernels::hopper
