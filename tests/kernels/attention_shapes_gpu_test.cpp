// Every shape class: lengths below, at and above the tiles, tails, more queries than keys and the
// reverse, none at all.
#include <cmath>
#include <vector>

#include "tests/kernels/gpu_attention_test.h"

namespace ridgepoint::kernels {
namespace {

class AttentionShapes : public GpuAttention {
 protected:
  void expect_accurate_for_all_heads(AttentionProblem p) const {
    const bool large = p.seqlen_q > 2000;
    p.batch = large ? 1 : 2;
    constexpr std::pair<int, int> heads_and_kv_heads[] = {{2, 2}, {8, 2}, {3, 1}};
    for (const auto& [heads, kv_heads] : heads_and_kv_heads) {
      p.heads = heads;
      p.kv_heads = kv_heads;
      expect_accurate(p, random_attention_data(p, 1), large ? 64 : 192);
      if (HasFailure()) {
        return;  // one shape says enough
      }
    }
  }
};

// The lengths of FlashAttention's own tests, and those around our tiles (128 rows; 32, 48, 64
// and 128 keys).
constexpr std::pair<int, int> shapes[] = {
    {1, 1},     {64, 128},    {128, 192},   {256, 256},   {239, 1},     {799, 3},    {113, 203},
    {113, 128}, {128, 217},   {113, 211},   {108, 256},   {256, 512},   {384, 256},  {640, 128},
    {512, 256}, {1024, 1024}, {1023, 1024}, {1024, 1023}, {192, 192},   {127, 127},  {129, 129},
    {128, 31},  {128, 32},    {128, 33},    {128, 47},    {128, 48},    {128, 49},   {130, 63},
    {130, 65},  {257, 97},    {1, 1000},    {320, 2049},  {4096, 4096}, {4224, 4224}};

TEST_P(AttentionShapes, FullAttentionIsAsAccurateAs16BitsAllow) {
  for (const auto& [seqlen_q, seqlen_k] : shapes) {
    expect_accurate_for_all_heads(problem(seqlen_q, seqlen_k));
  }
}

TEST_P(AttentionShapes, CausalAttentionIsAsAccurateAs16BitsAllow) {
  for (const auto& [seqlen_q, seqlen_k] : shapes) {
    expect_accurate_for_all_heads(problem(seqlen_q, seqlen_k, true));
  }
}

TEST_P(AttentionShapes, WithoutKeysOIsZeroAndTheLseIsMinusInfinity) {
  for (const bool causal : {false, true}) {
    expect_accurate_for_all_heads(problem(200, 0, causal));
  }
}

// More queries than keys: the first rows see nothing.
TEST_P(AttentionShapes, RowsWithoutKeysGiveZeroAndMinusInfinityAmongOthersThatSeeSome) {
  const AttentionProblem p = problem(300, 130, true);
  const GpuRun run = run_on_gpu(variant(), p, random_attention_data(p, 1));
  ASSERT_EQ(run.failure, "");
  const auto d = static_cast<std::size_t>(p.head_dim);
  for (std::size_t row = 0; row < run.lse.size(); ++row) {
    const bool empty = row % 300 < 170;
    ASSERT_EQ(run.lse[row] == -INFINITY, empty) << row;
    for (std::size_t c = 0; empty && c < d; ++c) {
      ASSERT_EQ(run.o[row * d + c], 0) << row << ", " << c;
    }
  }
}

TEST_P(AttentionShapes, WithoutQueriesNothingIsWritten) {
  const AttentionProblem p = problem(0, 100);
  EXPECT_EQ(run_on_gpu(variant(), p, random_attention_data(p, 1)).failure, "");
}

TEST_P(AttentionShapes, ManyHeadsExceedNoGridDimension) {
  AttentionProblem p = problem(1, 1);
  p.batch = 8300;
  p.heads = p.kv_heads = 16;
  expect_accurate(p, random_attention_data(p, 1), 500);
}

// At each of these lengths the naive softmax shares a row among another number of threads, up to
// rows that it reads twice.
TEST_P(AttentionShapes, EveryWayToHoldASoftmaxRowIsRight) {
  const std::vector<int> lengths =
      variant().name() == "naive"
          ? std::vector<int>{1025, 2048, 2049, 8193, 16384, 16385, 32769, 49152, 49153}
          : std::vector<int>{2049, 49153};
  for (const int seqlen_k : lengths) {
    AttentionProblem p = problem(19, seqlen_k);
    p.batch = 1;
    expect_accurate(p, random_attention_data(p, 1), 38);
    p.causal = true;
    expect_accurate(p, random_attention_data(p, 1), 38);
  }
}

// Nine heads of 16384 x 16384: S has more than 2^31 elements.
TEST_P(AttentionShapes, OffsetsBeyond32BitsAreRight) {
  AttentionProblem p = problem(16384, 16384);
  p.batch = 1;
  p.heads = p.kv_heads = 9;
  if (free_device_bytes() < variant().workspace_bytes(p) + (std::size_t{1} << 30)) {
    GTEST_SKIP() << "needs " << (variant().workspace_bytes(p) >> 30) << " GiB of device memory";
  }
  expect_accurate(p, random_attention_data(p, 1), 64);
}

RIDGEPOINT_FOR_ALL_ATTENTION(AttentionShapes);

}  // namespace
}  // namespace ridgepoint::kernels
