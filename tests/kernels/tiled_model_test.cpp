#include "kernels/attention/tiled_model.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/attention/reference.h"

namespace ridgepoint::kernels {
namespace {

AttentionProblem arbitrary_problem() {
  AttentionProblem p;
  p.batch = *rc::gen::inRange(1, 3);
  p.kv_heads = *rc::gen::inRange(1, 3);
  p.heads = p.kv_heads * *rc::gen::inRange(1, 4);
  p.seqlen_q = *rc::gen::inRange(0, 40);
  p.seqlen_k = *rc::gen::inRange(0, 40);
  p.head_dim = *rc::gen::inRange(1, 20);
  p.dtype = *rc::gen::element(DataType::fp16, DataType::bf16);
  p.causal = *rc::gen::arbitrary<bool>();
  return p;
}

RC_GTEST_PROP(TiledModel, EqualsTheReferenceForAnyTiling, ()) {
  const AttentionProblem p = arbitrary_problem();
  const TileSize tile{*rc::gen::inRange(1, 50), *rc::gen::inRange(1, 50)};
  const AttentionData data = random_attention_data(p, *rc::gen::arbitrary<std::uint64_t>(), 3.0F);
  const TiledResult tiled = run_tiled_model(p, data, tile);
  const AttentionRows exact = reference_rows(p, data, all_rows(p));
  RC_ASSERT(tiled.o.size() == exact.o.size());
  for (std::size_t i = 0; i < exact.o.size(); ++i) {
    RC_ASSERT(std::fabs(tiled.o[i] - exact.o[i]) < 1e-9);
  }
  for (std::size_t i = 0; i < exact.lse.size(); ++i) {
    RC_ASSERT(tiled.lse[i] == exact.lse[i] || std::fabs(tiled.lse[i] - exact.lse[i]) < 1e-9);
  }
}

// Q and O cross once, K and V once for every tile of query rows: 2 (2 Nq d + 2 Nk d ceil(Nq / Bm))
// + 4 Nq a head.
RC_GTEST_PROP(TiledModel, MovesTheBytesOfTheClosedForm, ()) {
  AttentionProblem p = arbitrary_problem();
  p.causal = false;
  p.seqlen_k = std::max(p.seqlen_k, 1);
  const TileSize tile{*rc::gen::inRange(1, 50), *rc::gen::inRange(1, 50)};
  const TiledTraffic traffic = run_tiled_model(p, random_attention_data(p, 1), tile).traffic;
  const std::int64_t heads = std::int64_t{p.batch} * p.heads;
  const std::int64_t query_tiles = (p.seqlen_q + tile.block_m - 1) / tile.block_m;
  RC_ASSERT(traffic.q_bytes == heads * 2 * p.seqlen_q * p.head_dim);
  RC_ASSERT(traffic.o_bytes == traffic.q_bytes);
  RC_ASSERT(traffic.k_bytes == heads * 2 * p.seqlen_k * p.head_dim * query_tiles);
  RC_ASSERT(traffic.v_bytes == traffic.k_bytes);
  RC_ASSERT(traffic.lse_bytes == heads * 4 * p.seqlen_q);
  RC_ASSERT(
      traffic.total_bytes() ==
      heads * (2 * (2 * p.seqlen_q + 2 * p.seqlen_k * query_tiles) * p.head_dim + 4 * p.seqlen_q));
}

TEST(TiledModelTraffic, CausalVisitsTheLowerTriangleOfTilesOnly) {
  AttentionProblem p;
  p.seqlen_q = p.seqlen_k = 64;
  p.head_dim = 8;
  p.causal = true;
  const TiledTraffic traffic = run_tiled_model(p, random_attention_data(p, 1), {16, 16}).traffic;
  const std::int64_t tiles = 4 * 5 / 2;
  EXPECT_EQ(traffic.k_bytes, tiles * 16 * 8 * 2);
}

TEST(TiledModelTraffic, DoublingTheQueryTileHalvesKeyTraffic) {
  AttentionProblem p;
  p.seqlen_q = p.seqlen_k = 128;
  p.head_dim = 16;
  const AttentionData data = random_attention_data(p, 1);
  EXPECT_EQ(run_tiled_model(p, data, {16, 32}).traffic.k_bytes,
            2 * run_tiled_model(p, data, {32, 32}).traffic.k_bytes);
}

TEST(TiledModelTraffic, RowsThatSeeNoKeyReadNothing) {
  AttentionProblem p;
  p.seqlen_q = 32;
  p.seqlen_k = 16;
  p.head_dim = 8;
  p.causal = true;
  const TiledTraffic traffic = run_tiled_model(p, random_attention_data(p, 1), {16, 16}).traffic;
  EXPECT_EQ(traffic.q_bytes, 16 * 8 * 2);
  EXPECT_EQ(traffic.k_bytes, 16 * 8 * 2);
  EXPECT_EQ(traffic.o_bytes, 32 * 8 * 2);
}

}  // namespace
}  // namespace ridgepoint::kernels
