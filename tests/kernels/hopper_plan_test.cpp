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
  const auto wide = [&](int seqlen_q) {
    p.seqlen_q = seqlen_q;
    return wide_tiles(p);
  };
  for (const int seqlen : {193, 200, 256, 385, 512, 961, 1024}) {
    EXPECT_TRUE(wide(seqlen)) << seqlen;
  }
  for (const int seqlen : {1, 64, 192, 257, 384, 513, 768, 960, 1025, 1280, 2048, 4096, 16384}) {
    EXPECT_FALSE(wide(seqlen)) << seqlen;
  }
  p.seqlen_q = 512;
  p.causal = true;
  EXPECT_FALSE(wide_tiles(p));
  p.causal = false;
  p.head_dim = 128;
  EXPECT_FALSE(wide_tiles(p));
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
