// Decode by hand: every expected figure is worked out from the problem, not from the model.
#include "analyzer/attention/split_kv.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/io_model.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;

// One new token of a model with 32 query heads in 8 groups, head dimension 128, 64 Ki tokens kept:
// K and V are 8 x 65,536 x 128 x 2 bytes = 128 MiB each.
const AttentionShape decode{1, 32, 8, 1, 65536, 128, "fp16", true, 0, "forward"};
const SplitKvTile tile{16, 64};
const SplitKvMachine machine{132, 4.8e12, 1e15};
const IoMachine h200{132, 31e6, 0};
constexpr double k_and_v = 256.0 * 1024 * 1024;

PlannedKernel planned(const char* role, std::int64_t splits) {
  return {{role, 16, 64, 128, 2, 128, 0}, 1, MatrixPath::mma_sync, 8 * splits, splits};
}

TEST(SplitKv, PacksTheHeadsOfAGroupIntoOneTile) {
  EXPECT_EQ(packed_rows(decode), 4);
  EXPECT_EQ(packed_tiles(decode, 16), 1);
  EXPECT_EQ(packed_keys(decode, tile), 65536);  // the newest token sees every key
  AttentionShape six_tokens = decode;
  six_tokens.seqlen_q = 6;
  EXPECT_EQ(packed_rows(six_tokens), 24);
  EXPECT_EQ(packed_tiles(six_tokens, 16), 2);
}

TEST(SplitKv, PartialResultsAreARowInFp32AndItsSumsForEveryPart) {
  EXPECT_EQ(partial_bytes(decode, 1), 0);
  EXPECT_EQ(partial_bytes(decode, 16), 16 * 32 * (4 * 128 + 8));
}

TEST(SplitKv, OnePartLeavesMostSmsIdle) {
  const SplitKvEstimate one = split_kv_estimate(decode, tile, 1, machine);
  EXPECT_EQ(one.blocks, 8);
  EXPECT_NEAR(one.waves, 8.0 / 132, 1e-12);
  // 65,536 keys of 512 bytes at a 132nd of 4.8 TB/s: 923 microseconds.
  EXPECT_NEAR(one.time_s, 65536 * 512.0 * 132 / 4.8e12, 1e-8);
}

TEST(SplitKv, SixteenPartsFillTheGpu) {
  const SplitKvEstimate best = best_split_kv(decode, tile, machine);
  // 8 x 16 = 128 blocks on 132 SMs, each 4,096 keys; 17 parts would need a second wave.
  EXPECT_EQ(best.splits, 16);
  EXPECT_EQ(best.blocks, 128);
  const double rows = 2 * 32 * 128 * 2 + 32 * 4 + 2.0 * 16 * 32 * 520;  // Q, O, LSE, partials
  EXPECT_DOUBLE_EQ(best.time_s, (4096 * 512.0 * 132 + rows) / 4.8e12);
  EXPECT_NEAR(best.time_s, 58e-6, 1e-6);  // 256 MiB at 4.8 TB/s take 55.9
  EXPECT_GT(split_kv_estimate(decode, tile, 17, machine).time_s, 1.8 * best.time_s);
}

TEST(SplitKv, AGridThatFillsTheGpuIsLeftWhole) {
  AttentionShape shape = decode;
  shape.batch = 33;  // 264 key heads: two whole waves
  EXPECT_EQ(best_split_kv(shape, tile, machine).splits, 1);
}

TEST(SplitKv, HasNoMorePartsThanKeyTiles) {
  AttentionShape shape = decode;
  shape.seqlen_k = 200;
  EXPECT_LE(best_split_kv(shape, tile, machine).splits, 4);
  shape.seqlen_k = 64;
  EXPECT_EQ(best_split_kv(shape, tile, machine).splits, 1);
}

TEST(SplitKv, ManyQueryRowsAreBoundByTheirProducts) {
  AttentionShape shape = decode;
  shape.seqlen_q = 1024;
  shape.causal = false;
  // 4,096 packed rows are 32 tiles a key head, 256 blocks, two waves: 65,536 keys x 4 x 128 x 128
  // FLOP x 2 on each of 132 SMs.
  const SplitKvEstimate one = split_kv_estimate(shape, {128, 64}, 1, machine);
  EXPECT_EQ(one.blocks, 256);
  EXPECT_DOUBLE_EQ(one.time_s, 2 * 65536.0 * 4 * 128 * 128 * 132 / 1e15);
}

TEST(SplitKv, OptionsListOnePartTheBestAndPowersOfTwo) {
  const auto options = split_kv_options(decode, tile, machine);
  std::vector<std::int64_t> counts;
  for (const SplitKvEstimate& one : options) {
    counts.push_back(one.splits);
  }
  EXPECT_EQ(counts, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32}));
}

TEST(SplitKv, KeysPassEveryLevelOnceAndThePartsAddTheirResults) {
  const auto attention = predict_kernel_io(decode, planned("split_attention", 16), h200);
  ASSERT_TRUE(attention);
  EXPECT_DOUBLE_EQ(attention->hbm.read, 32 * 128 * 2 + k_and_v);
  EXPECT_DOUBLE_EQ(attention->l2.read, 16 * 32 * 128 * 2 + k_and_v);
  EXPECT_DOUBLE_EQ(attention->hbm.write, 16 * 32 * 520);
  const auto combine = predict_kernel_io(decode, planned("combine", 16), h200);
  ASSERT_TRUE(combine);
  EXPECT_DOUBLE_EQ(combine->hbm.read, 0);  // 264 kB are still in L2
  EXPECT_DOUBLE_EQ(combine->l2.read, 16 * 32 * 520);
  EXPECT_DOUBLE_EQ(combine->hbm.write, 32 * 128 * 2 + 32 * 4);
}

// 1,024 steps of 64 keys a key head, each K and V once through ldmatrix, a sixteenth of the copies,
// and for each of 4 warps 4 shuffles; 128 blocks leave 64 rows of O in FP32 and read them.
TEST(SplitKv, SharedMemorySeesEveryKeyOnceAndTheWarpsResults) {
  const auto io = predict_kernel_io(decode, planned("split_attention", 16), h200);
  const double staged = 128 * 64 * 128 * 4;
  EXPECT_DOUBLE_EQ(io->smem.read, k_and_v + 8 * 1024 * 4 * 4 * 128 + staged);
  EXPECT_DOUBLE_EQ(io->smem.write, k_and_v / 16 + staged);
  const auto combine = predict_kernel_io(decode, planned("combine", 16), h200);
  EXPECT_DOUBLE_EQ(combine->smem.read, 32 * 5 * 128);
}

// 64 rows are four row tiles, and each warp with one of them reads all keys.
TEST(SplitKv, WarpsWithRowsOfTheirOwnEachReadAllKeys) {
  AttentionShape shape = decode;
  shape.seqlen_q = 16;
  shape.causal = false;
  PlannedKernel kernel = planned("split_attention", 16);
  kernel.tile.block_m = 64;
  const double read = predict_kernel_io(shape, kernel, h200)->smem.read;
  EXPECT_NEAR(read / (4 * k_and_v), 1, 0.06);
}

TEST(SplitKv, TheKernelsPartsAreTheBestForHbmAndCanBeReadFromItsGrid) {
  EXPECT_EQ(kernel_parts(decode, tile, 132), 16);
  EXPECT_EQ(parts_of_grid(decode, 16, 128), 16);
  EXPECT_EQ(parts_of_grid(decode, 16, 7), 1);
  EXPECT_EQ(parts_of_grid(decode, 0, 7), 1) << "a file may say anything";
}

TEST(SplitKv, UnpackedHeadsReadTheKeysOnceEachThroughL2) {
  const auto fused = predict_kernel_io(decode, {{"attention", 128, 48, 128, 2, 128, 0}, 1}, h200);
  const auto split = predict_kernel_io(decode, planned("split_attention", 16), h200);
  EXPECT_NEAR(fused->l2.read / split->l2.read, 4, 0.01);  // four query heads share a key head
  EXPECT_NEAR(fused->hbm.read / split->hbm.read, 1, 1e-12);
}

TEST(SplitKv, OnePartWritesTheResultItself) {
  const auto io = predict_kernel_io(decode, planned("split_attention", 1), h200);
  EXPECT_DOUBLE_EQ(io->hbm.total(), compulsory_bytes(decode));
  EXPECT_THAT(io->hbm.formula, HasSubstr("one part"));
}

// Whatever the problem: no estimate promises more than the bandwidth, and the best is among them.
RC_GTEST_PROP(SplitKvProperty, NeverBeatsTheRoofsAndNeverLosesToOnePart, ()) {
  AttentionShape shape = decode;
  shape.batch = *rc::gen::inRange(1, 65);
  shape.kv_heads = *rc::gen::inRange(1, 17);
  shape.heads = shape.kv_heads * *rc::gen::inRange(1, 17);
  shape.seqlen_q = *rc::gen::inRange(1, 33);
  shape.seqlen_k = shape.seqlen_q + *rc::gen::inRange(0, 100000);
  shape.causal = false;
  const SplitKvEstimate best = best_split_kv(shape, tile, machine);
  RC_ASSERT(best.time_s * (1 + 1e-9) >= compulsory_bytes(shape) / machine.hbm_bytes_per_s);
  RC_ASSERT(best.time_s * (1 + 1e-9) >= attention_flop(shape) / machine.flop_per_s);
  RC_ASSERT(best.time_s <= 1.05 * split_kv_estimate(shape, tile, 1, machine).time_s);
}

}  // namespace
}  // namespace ridgepoint
