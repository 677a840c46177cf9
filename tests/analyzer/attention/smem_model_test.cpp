#include "analyzer/attention/smem_model.h"

#include <gmock/gmock.h>

#include "analyzer/attention/backward_smem.h"
#include "analyzer/attention/flop.h"

namespace ridgepoint {
namespace {

// One head, 1,024 queries and keys: 8 query tiles of 128 rows that visit 8 key tiles of 128.
AttentionShape shape_of(std::int64_t head_dim) {
  return {1, 1, 1, 1024, 1024, head_dim, "fp16", false, 0.1, "forward"};
}
constexpr double steps = 64;

TEST(SmemModel, MmaReadsKeysAndValuesForEveryWarp) {
  const KernelTileInfo tile{"attention", 128, 128, 64, 2, 128, 0};
  const double kv = 2 * 128 * 64 * 2;
  const double q = 128 * 64 * 2;
  const IoBytes io = predict_smem(shape_of(64), {tile});
  EXPECT_DOUBLE_EQ(io.total(), steps * (4 * kv + 32 * 128 + kv / 4) + 8 * (q + q / 4 + 2 * q));
}

TEST(SmemModel, MmaReadsQueriesForEveryKeyTileWhereRegistersCannotHoldThem) {
  const KernelTileInfo tile{"attention", 128, 128, 128, 2, 128, 0};
  const double q = 128 * 128 * 2;
  const double all_but_one = predict_smem(shape_of(128), {tile}).read;
  EXPECT_DOUBLE_EQ(all_but_one, steps * (4 * 2 * q + 32 * 128 + q) + 8 * q);
}

// Eight warps of 16 rows; half of Q is read once for each of the 8 query tiles, the other half for
// each of the 16 key tiles of 64 keys that it visits.
TEST(SmemModel, MmaAtHeadDimension256ReadsKeysAndValuesForEvery16RowsAndHalfOfQOnce) {
  const KernelTileInfo tile{"attention", 128, 64, 256, 1, 256, 98304};
  const double kv = 2 * 64 * 256 * 2;
  const double q = 128 * 256 * 2;
  const IoBytes io = predict_smem(shape_of(256), {tile});
  EXPECT_DOUBLE_EQ(io.total(),
                   8 * 16 * (8 * kv + 32 * 128 + kv / 4 + q / 2) + 8 * (q / 2 + q / 4 + 2 * q));
}

TEST(SmemModel, WgmmaReadsKeysAndValuesForEveryWarpgroupOf64Rows) {
  const KernelTileInfo tile{"attention", 128, 128, 128, 2, 384, 0};
  const double q = 128 * 128 * 2;
  const IoBytes io = predict_smem(shape_of(128), {tile, 1, MatrixPath::wgmma});
  EXPECT_DOUBLE_EQ(io.read, steps * (q + 2 * 2 * q + 32 * 128));
  EXPECT_DOUBLE_EQ(io.write, 8 * q);
}

TEST(SmemModel, WgmmaMovesFewerBytesForTheSameTile) {
  const KernelTileInfo mma{"attention", 128, 128, 128, 2, 128, 0};
  const KernelTileInfo wgmma{"attention", 128, 128, 128, 2, 384, 0};
  EXPECT_LT(predict_smem(shape_of(128), {wgmma, 1, MatrixPath::wgmma}).total(),
            0.7 * predict_smem(shape_of(128), {mma}).total());
}

TEST(SmemModel, SoftmaxExchangesTheSameHoweverLongItsRows) {
  const KernelTileInfo tile{"softmax", 1, 8192, 0, 1, 256, 0};
  AttentionShape longer = shape_of(64);
  longer.seqlen_k *= 4;
  EXPECT_DOUBLE_EQ(predict_smem(shape_of(64), {tile}).total(),
                   predict_smem(longer, {tile}).total());
  EXPECT_DOUBLE_EQ(predict_smem(shape_of(64), {tile}).total(), 1024.0 * 8 * 2 * 12 * 128);
}

TEST(SmemModel, CausalVisitsHalfTheTilesAndOneMoreForEachRowOfTiles) {
  const KernelTileInfo tile{"scores", 128, 128, 64, 2, 256, 0};
  AttentionShape causal = shape_of(64);
  causal.causal = true;
  // 8 + 7 + ... + 1 of 64 tiles
  EXPECT_NEAR(predict_smem(causal, {tile}).total() / predict_smem(shape_of(64), {tile}).total(),
              36.0 / 64, 1e-12);
}

TEST(SmemModel, NamesEachProductOfTheNaiveBackwardPassAndItsOperands) {
  const std::pair<const char*, const char*> products[] = {
      {"d_scores", "d_scores: .*dO and V.*dP"},
      {"query_gradient", "query gradient: .*dS and K.*dQ"},
      {"value_gradient", "value gradient: .*P and dO.*dV"},
      {"key_gradient", "key gradient: .*dS and Q.*dK"}};
  for (const auto& [role, formula] : products) {
    EXPECT_THAT(predict_backward_smem(shape_of(128), {{role, 128, 128, 128, 2, 256, 0}}).formula,
                testing::ContainsRegex(formula));
  }
}

TEST(SmemModel, AnUnknownRoleHasNoBytes) {
  EXPECT_EQ(predict_smem(shape_of(64), {{"something", 1, 1, 1, 1, 32, 0}}).total(), 0);
}

}  // namespace
}  // namespace ridgepoint
