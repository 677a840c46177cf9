#include "analyzer/attention/io_model.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "analyzer/attention/flop.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;

const IoMachine h200{132, 25e6, 0};
const KernelTileInfo fused_tile{"attention", 128, 128, 64, 2, 256, 81920};

AttentionShape shape_of(std::int64_t seqlen, std::int64_t heads = 8, std::int64_t head_dim = 64) {
  return {1, heads, heads, seqlen, seqlen, head_dim, "fp16", false, 0.125, "forward"};
}

KernelIo io_of(const AttentionShape& shape, const KernelTileInfo& tile,
               std::int64_t blocks_per_sm = 2) {
  return predict_kernel_io(shape, {tile, blocks_per_sm}, h200).value();
}

TEST(IoModel, NaiveMovesEightBytesForEveryPairOfOneHead) {
  const AttentionShape shape = shape_of(16384, 1);
  const auto io = predict_variant_io(shape,
                                     {{{"scores", 128, 128, 64, 1, 256, 0}},
                                      {{"softmax", 1, 0, 0, 1, 256, 0}},
                                      {{"output", 128, 64, 64, 1, 256, 0}}},
                                     h200);
  ASSERT_TRUE(io);
  const double s_matrix = 512.0 * 1024 * 1024;  // 16,384 x 16,384 in FP16: 512 MiB
  EXPECT_DOUBLE_EQ(io->hbm.total(), 4 * s_matrix + compulsory_bytes(shape));
  EXPECT_THAT(io->hbm.formula, HasSubstr("softmax"));
}

TEST(IoModel, NaiveScoresThatFitTheL2AreNotReadFromHbm) {
  const AttentionShape shape = shape_of(1024);  // S of 8 heads: 16 MiB
  const KernelIo softmax = io_of(shape, {"softmax", 1, 0, 0, 1, 256, 0});
  EXPECT_DOUBLE_EQ(softmax.hbm.read, 0);
  EXPECT_DOUBLE_EQ(softmax.l2.read, 2.0 * 8 * 1024 * 1024);
}

TEST(IoModel, NaiveCausalStoresNoFullyMaskedTiles) {
  AttentionShape shape = shape_of(4096);
  const KernelTileInfo scores{"scores", 128, 128, 64, 1, 256, 0};
  const double whole = io_of(shape, scores).hbm.write;
  shape.causal = true;
  EXPECT_DOUBLE_EQ(io_of(shape, scores).hbm.write, whole * 528 / 1024);
}

TEST(IoModel, AnL2ThatCountsCrossingsSeesStreamedBytesMoreThanOnce) {
  const AttentionShape shape = shape_of(16384);
  const KernelTileInfo softmax{"softmax", 1, 0, 0, 1, 256, 0};
  const auto io = predict_kernel_io(shape, {softmax}, {132, 25e6, 0.5});
  EXPECT_DOUBLE_EQ(io->l2.total(), 1.5 * io->hbm.total());
}

TEST(IoModel, FusedMovesOnlyTheCompulsoryBytesWhileLiveKeysFitTheL2) {
  const AttentionShape shape = shape_of(16384);
  EXPECT_DOUBLE_EQ(io_of(shape, fused_tile).hbm.total(), compulsory_bytes(shape));
}

TEST(IoModel, FusedStreamsKeysAgainOnceTheyOutgrowTheL2) {
  const AttentionShape shape =
      shape_of(262144, 1);  // K and V of one head: 64 MiB; 2,048 query tiles, 264 at once
  const double reads = 8;   // ceil(2048 / 264)
  EXPECT_DOUBLE_EQ(io_of(shape, fused_tile).hbm.read,
                   query_bytes(shape) + reads * 2 * key_bytes(shape));
  EXPECT_THAT(io_of(shape, fused_tile).hbm.formula, HasSubstr("again"));
}

TEST(IoModel, FusedOutputThatIsStillInL2AtTheEndIsNotInItsHbmBytes) {
  const AttentionShape shape = shape_of(16384);
  const IoMachine machine{132, 25e6, 0, 12e6};
  EXPECT_DOUBLE_EQ(predict_kernel_io(shape, {fused_tile}, machine)->hbm.total(),
                   compulsory_bytes(shape) - 12e6);
  EXPECT_DOUBLE_EQ(predict_kernel_io(shape_of(256), {fused_tile}, machine)->hbm.write, 0);
}

TEST(IoModel, ScoresThatWalkAStripOfKeysReadQOnceForEachStrip) {
  const AttentionShape shape = shape_of(4096, 1);
  PlannedKernel kernel{{"scores", 128, 64, 64, 2, 256, 0}};
  const double of_every_tile = 64 * query_bytes(shape);
  const double keys = 32 * key_bytes(shape);
  EXPECT_DOUBLE_EQ(predict_kernel_io(shape, kernel, h200)->l2.read, of_every_tile + keys);
  kernel.blocks = 32 * 4;  // 32 query tiles, strips of 1,024 keys
  EXPECT_DOUBLE_EQ(predict_kernel_io(shape, kernel, h200)->l2.read, 4 * query_bytes(shape) + keys);
}

TEST(IoModel, FusedL2TrafficIsKeysAndValuesOncePerQueryTile) {
  const AttentionShape shape = shape_of(4096);
  EXPECT_DOUBLE_EQ(io_of(shape, fused_tile).l2.total(),
                   2 * query_bytes(shape) + lse_bytes(shape) + 32 * 2 * key_bytes(shape));
}

TEST(IoModel, FusedIntensityAtL2IsAboutTheTileHeight) {
  const AttentionShape shape = shape_of(16384, 1, 128);
  EXPECT_NEAR(attention_flop(shape) / io_of(shape, fused_tile).l2.total(), 128, 3);
}

TEST(IoModel, CausalVisitsAboutHalfTheKeys) {
  AttentionShape shape = shape_of(4096);
  const double whole = io_of(shape, fused_tile).l2.read - query_bytes(shape);
  shape.causal = true;
  // 32 tiles of 128 rows see 1, 2 ... 32 tiles of keys: 528 of 1,024.
  EXPECT_DOUBLE_EQ(io_of(shape, fused_tile).l2.read - query_bytes(shape), whole * 528 / 1024);
}

TEST(IoModel, GroupedHeadsReadTheSharedKeysOnceFromHbm) {
  AttentionShape shape = shape_of(4096);
  shape.kv_heads = 2;
  EXPECT_DOUBLE_EQ(io_of(shape, fused_tile).hbm.read, query_bytes(shape) + 2 * key_bytes(shape));
  EXPECT_DOUBLE_EQ(io_of(shape, fused_tile).l2.read - query_bytes(shape),
                   32 * 4 * 2 * key_bytes(shape));
}

TEST(IoModel, UnknownRolesAndSizesNoTensorHasAreNotPredicted) {
  EXPECT_FALSE(predict_kernel_io(shape_of(4096), {{"something", 1, 1, 1, 1, 1, 1}}, h200));
  EXPECT_FALSE(predict_kernel_io(shape_of(std::int64_t{1} << 62), {fused_tile}, h200));
  EXPECT_FALSE(predict_kernel_io(shape_of(0), {fused_tile}, h200));
  AttentionShape backward = shape_of(4096);
  backward.direction = "backward";
  EXPECT_FALSE(predict_kernel_io(backward, {fused_tile}, h200));
}

TEST(IoModel, HugeCausalProblemsAreAnsweredAtOnce) {
  AttentionShape shape = shape_of(std::int64_t{1} << 39, 1);
  shape.causal = true;
  KernelTileInfo tile = fused_tile;
  tile.block_m = 1;
  EXPECT_GT(io_of(shape, tile).l2.total(), 0);
}

RC_GTEST_PROP(IoModel, HbmNeverMovesLessThanNeededAndTallerTilesNeverMoveMoreThroughL2, ()) {
  AttentionShape shape =
      shape_of(*rc::gen::inRange(1, 20000), *rc::gen::inRange(1, 9), *rc::gen::element(64, 128));
  shape.causal = *rc::gen::arbitrary<bool>();
  KernelTileInfo tile = fused_tile;
  const KernelIo io = io_of(shape, tile);
  RC_ASSERT(io.hbm.total() >= compulsory_bytes(shape) - 1);
  tile.block_m *= 2;
  RC_ASSERT(io_of(shape, tile).l2.total() <= io.l2.total());
}

// Sections of the causal Hopper kernel: 32 MiB of K and V at head dimension 128 are 8 heads of
// 8192.
AttentionShape causal_of(std::int64_t seqlen) {
  return {2, 16, 16, seqlen, seqlen, 128, "bf16", true, 0.1, "forward"};
}

double hopper_reads(const AttentionShape& shape, const IoMachine& machine) {
  const KernelTileInfo tile{"attention", 128, 128, 128, 2, 384, 197736};
  return predict_kernel_io(shape, {tile, 1, MatrixPath::wgmma}, machine)->hbm.read;
}

TEST(IoModel, SectionsThatFitTheL2AreReadOnce) {
  const AttentionShape shape = causal_of(8192);
  EXPECT_EQ(hopper_section_heads(shape), 8);
  EXPECT_DOUBLE_EQ(hopper_reads(shape, {132, 34e6, 0}), query_bytes(shape) + 2 * key_bytes(shape));
}

TEST(IoModel, WhatASectionHasBeyondTheL2IsReadAgainByTheNextWave) {
  const AttentionShape shape = causal_of(8192);
  // Of 33.6 MB a quarter has gone; the second wave still sees 1 - 132 / 512 of the keys.
  const double section = 32.0 * 1024 * 1024;
  const double again = 4 * section * (1 - 132.0 / 512) * 0.25;
  EXPECT_NEAR(hopper_reads(shape, {132, 0.75 * section, 0}),
              query_bytes(shape) + 2 * key_bytes(shape) + again, 1e-6 * again);
}

TEST(IoModel, OutputThatWaitsInL2TakesItsRoom) {
  const AttentionShape shape = causal_of(8192);
  EXPECT_GT(hopper_reads(shape, {132, 34e6, 0, 12e6, 2}), hopper_reads(shape, {132, 34e6, 0}));
}

TEST(IoModel, SmsReceiveWhatL2LooksUpLessWhatCrossesItsPartitions) {
  const AttentionShape shape = shape_of(4096);
  const KernelIo io = predict_kernel_io(shape, {fused_tile, 2}, {132, 25e6, 0.5}).value();
  EXPECT_DOUBLE_EQ(io.l2.read - io.sm_reads, 0.5 * (query_bytes(shape) + 2 * key_bytes(shape)));
}

}  // namespace
}  // namespace ridgepoint
