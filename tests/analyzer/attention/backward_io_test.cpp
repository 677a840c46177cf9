#include "analyzer/attention/backward_io.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/attention/flop.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;

const IoMachine h200{132, 25e6, 0};

AttentionShape shape_of(std::int64_t seqlen, std::int64_t heads = 8, std::int64_t head_dim = 64) {
  return {1, heads, heads, seqlen, seqlen, head_dim, "fp16", false, 0.125, "backward"};
}
KernelIo io_of(const AttentionShape& shape, const KernelTileInfo& tile,
               MatrixPath path = MatrixPath::mma_sync) {
  return predict_kernel_io(shape, {tile, 1, path}, h200).value();
}
const std::vector<PlannedKernel> naive = {{{"d_scores", 128, 64, 64, 2, 256, 0}},
                                          {{"softmax_gradient", 1, 0, 0, 1, 256, 0}},
                                          {{"query_gradient", 128, 64, 64, 3, 256, 0}},
                                          {{"value_gradient", 64, 128, 64, 3, 256, 0}},
                                          {{"key_gradient", 64, 128, 64, 3, 256, 0}}};
const std::vector<PlannedKernel> recomputing = {{{"rows", 32, 0, 0, 1, 256, 0}},
                                                {{"gradients", 64, 128, 64, 2, 256, 0}},
                                                {{"conversion", 64, 0, 0, 1, 256, 0}}};

TEST(BackwardIo, KeepingPMovesSevenMatricesThroughHbm) {
  const AttentionShape shape = shape_of(16384, 1);
  const auto io = predict_variant_io(shape, naive, h200);
  ASSERT_TRUE(io);
  const double matrix = 512.0 * 1024 * 1024;  // 16,384 x 16,384 in FP16: 512 MiB
  // dP written; P and dP read, dS written; dS read for dQ; P read for dV; dS read for dK. dO is
  // read twice, Q, K and V once.
  EXPECT_DOUBLE_EQ(io->hbm.total(), 7 * matrix + 4 * query_bytes(shape) + 4 * key_bytes(shape));
  EXPECT_THAT(io->hbm.formula, HasSubstr("write dS"));
}

TEST(BackwardIo, RecomputationMovesBytesInTheSequenceLengthAlone) {
  const auto bytes = [](std::int64_t seqlen) {
    return predict_variant_io(shape_of(seqlen), recomputing, h200)->hbm.total();
  };
  EXPECT_DOUBLE_EQ(bytes(32768), 2 * bytes(16384));
  const AttentionShape shape = shape_of(16384);
  const double sums = 2 * query_bytes(shape);  // dQ in FP32
  const double row_terms = 2 * lse_bytes(shape);
  // Zeros written, read and written by the additions, read again; Q once, dO twice, O once.
  EXPECT_DOUBLE_EQ(bytes(16384), 4 * sums + 4 * query_bytes(shape) + query_bytes(shape) +
                                     4 * key_bytes(shape) + 2 * row_terms + lse_bytes(shape));
}

TEST(BackwardIo, SumsThatFitTheL2AreNotReadFromHbm) {
  const AttentionShape shape = shape_of(1024);  // dQ in FP32: 2 MiB
  EXPECT_DOUBLE_EQ(io_of(shape, {"conversion", 64, 0, 0, 1, 256, 0}).hbm.read, 0);
  EXPECT_GT(io_of(shape_of(65536), {"conversion", 64, 0, 0, 1, 256, 0}).hbm.read, 25e6);
}

TEST(BackwardIo, QueriesStreamAgainOnceThoseOfAHeadOutgrowTheL2) {
  const KernelTileInfo tile{"gradients", 64, 128, 64, 2, 256, 0};
  const AttentionShape shape = shape_of(262144, 1);  // Q, dO and dQ of one head: 134 MB
  const double streams = 16;                         // ceil(2048 key blocks / 132)
  const KernelIo io = io_of(shape, tile);
  EXPECT_DOUBLE_EQ(io.hbm.write, 2 * key_bytes(shape) + streams * 2 * query_bytes(shape));
  EXPECT_THAT(io.hbm.formula, HasSubstr("streams"));
}

// 32 heads of N = 8192 at d = 64, as recorded on an H200 (1.88 GB): the same keys of all heads run
// together, and what they stream exceeds the L2.
TEST(BackwardIo, HeadsAbreastUnderACausalMaskStreamTheQueriesForEveryFewKeyBlocks) {
  AttentionShape shape = shape_of(8192, 32);
  shape.causal = true;
  const KernelTileInfo tile{"gradients", 64, 128, 64, 2, 256, 0};
  const double abreast = io_of(shape, tile).hbm.total();
  EXPECT_NEAR(abreast, 1.6e9, 0.2e9);
  EXPECT_LT(io_of(shape, tile, MatrixPath::wgmma).hbm.total(), abreast / 3);
}

TEST(BackwardIo, L2SeesQueriesGradientsAndAdditionsOnceForEveryKeyBlock) {
  const AttentionShape shape = shape_of(4096);
  const KernelIo io = io_of(shape, {"gradients", 64, 128, 64, 2, 256, 0});
  const double key_blocks = 32;
  EXPECT_DOUBLE_EQ(io.l2.write, 2 * key_bytes(shape) + key_blocks * 2 * query_bytes(shape));
  EXPECT_DOUBLE_EQ(io.l2.read, 2 * key_bytes(shape) +
                                   key_blocks * (2 * query_bytes(shape) + 2 * lse_bytes(shape)));
}

TEST(BackwardIo, CausalVisitsAboutHalfTheQueries) {
  AttentionShape shape = shape_of(4096);
  const KernelTileInfo tile{"gradients", 128, 128, 64, 3, 384, 0};
  const double whole = io_of(shape, tile).l2.write - 2 * key_bytes(shape);
  shape.causal = true;
  // 32 key blocks are seen by 32, 31 ... 1 tiles of queries: 528 of 1,024.
  EXPECT_DOUBLE_EQ(io_of(shape, tile).l2.write - 2 * key_bytes(shape), whole * 528 / 1024);
}

TEST(BackwardIo, GroupedHeadsSumIntoTheSharedKeysOnce) {
  AttentionShape shape = shape_of(4096);
  shape.kv_heads = 2;
  const KernelIo io = io_of(shape, {"gradients", 64, 128, 64, 2, 256, 0});
  EXPECT_DOUBLE_EQ(io.hbm.write, 2 * key_bytes(shape) + 2 * query_bytes(shape));
}

TEST(BackwardIo, RolesOfTheOtherDirectionAreNotPredicted) {
  EXPECT_FALSE(predict_kernel_io(shape_of(4096), {{"attention", 128, 128, 64, 2, 128, 0}}, h200));
  AttentionShape forward = shape_of(4096);
  forward.direction = "forward";
  EXPECT_FALSE(predict_kernel_io(forward, {{"gradients", 64, 128, 64, 2, 256, 0}}, h200));
}

// One head, 1,024 queries and keys.
TEST(BackwardSmem, WgmmaReadsQueriesTwiceForEachWarpgroupAndStoresDsAndDq) {
  const AttentionShape shape = shape_of(1024, 1, 128);
  const IoBytes io = io_of(shape, {"gradients", 64, 128, 128, 3, 384, 0}, MatrixPath::wgmma).smem;
  const double steps = 16 * 8;
  const double queries = 64 * 128 * 2;
  const double keys = 128 * 128 * 2;
  const double ds = 128 * 64 * 2;
  const double dq = 64 * 128 * 4;
  // S and dP: keys once and queries for two warpgroups; dV and dK: queries for two; dQ: dS and half
  // of K for each; -LSE and D: 8 wavefronts a warp and array.
  EXPECT_DOUBLE_EQ(io.read, steps * (2 * (keys + 2 * queries) + 2 * 2 * queries +
                                     2 * (ds + keys / 2) + 2 * 8 * 8 * 128));
  EXPECT_DOUBLE_EQ(io.write, steps * (ds + dq) + 8 * 2 * keys);
}

TEST(BackwardSmem, WgmmaMovesFewerBytesThanMmaForTheSameTile) {
  const AttentionShape shape = shape_of(4096, 1, 128);
  const KernelTileInfo tile{"gradients", 64, 128, 128, 3, 384, 0};
  EXPECT_LT(io_of(shape, tile, MatrixPath::wgmma).smem.total(), io_of(shape, tile).smem.total());
}

}  // namespace
}  // namespace ridgepoint
