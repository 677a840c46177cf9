// Attention backward on the GPU: shapes of every kind, and what backward_variant.h promises.
#include "tests/kernels/gpu_backward_test.h"

namespace ridgepoint::kernels {
namespace {

class Backward : public GpuBackward {};

TEST_P(Backward, LengthsOfEveryKindAndBothMasks) {
  // The lengths of FlashAttention's own tests but for 4096 and 4224 (backward_large_gpu_test.cpp),
  // and those around our tiles.
  const std::pair<int, int> lengths[] = {
      {1, 1},    {64, 128},  {128, 192}, {256, 256}, {239, 1},     {1, 239},     {799, 3},
      {399, 3},  {113, 203}, {113, 128}, {128, 217}, {113, 211},   {108, 256},   {256, 512},
      {63, 65},  {65, 63},   {127, 129}, {129, 127}, {384, 256},   {640, 128},   {512, 256},
      {320, 64}, {192, 320}, {512, 513}, {700, 449}, {1024, 1024}, {1023, 1024}, {1024, 1023}};
  for (const auto& [seqlen_q, seqlen_k] : lengths) {
    for (const bool causal : {false, true}) {
      expect_accurate(problem(seqlen_q, seqlen_k, causal));
    }
  }
}

TEST_P(Backward, GroupsAndSingleKeyHeads) {
  for (const int kv_heads : {1, 2, 4}) {
    for (const bool causal : {false, true}) {
      AttentionProblem p = problem(200, 330, causal);
      p.heads = 4;
      p.kv_heads = kv_heads;
      expect_accurate(p);
    }
  }
}

TEST_P(Backward, ManyStepsAndThreadBlocks) {
  for (const bool causal : {false, true}) {
    AttentionProblem p = problem(1100, 1300, causal);
    p.heads = p.kv_heads = 8;
    expect_accurate(p);
  }
}

TEST_P(Backward, WithoutQueriesOrKeysGradientsAreZero) {
  for (const auto& [seqlen_q, seqlen_k] : {std::pair{0, 150}, {150, 0}, {0, 0}}) {
    const AttentionProblem p = problem(seqlen_q, seqlen_k);
    const BackwardRun run =
        run_backward_on_gpu(variant(), p, random_attention_data(p, 1), random_gradient(p));
    EXPECT_EQ(run.failure, "");
    EXPECT_EQ(run.dq, std::vector<std::uint16_t>(run.dq.size(), 0));
    EXPECT_EQ(run.dk, std::vector<std::uint16_t>(run.dk.size(), 0));
    EXPECT_EQ(run.dv, std::vector<std::uint16_t>(run.dv.size(), 0));
  }
}

// More queries than keys: the first rows see nothing, and give no gradient.
TEST_P(Backward, RowsWithoutKeysHaveNoGradientAmongOthersThatHaveOne) {
  const AttentionProblem p = problem(300, 130, true);
  const BackwardRun run =
      run_backward_on_gpu(variant(), p, random_attention_data(p, 1), random_gradient(p));
  ASSERT_EQ(run.failure, "");
  const auto d = static_cast<std::size_t>(p.head_dim);
  for (std::size_t row = 0; row < 600; ++row) {
    for (std::size_t c = 0; row % 300 < 170 && c < d; ++c) {
      ASSERT_EQ(run.dq[row * d + c] & 0x7FFF, 0) << row << ", " << c;
    }
  }
  expect_accurate(p);
}

TEST_P(Backward, ManyHeadsExceedNoGridDimension) {
  AttentionProblem p = problem(1, 1);
  p.batch = 8300;
  p.heads = p.kv_heads = 16;
  expect_accurate(p);
}

TEST_P(Backward, DeterministicVariantsRepeatBitForBit) {
  if (!variant().deterministic()) {
    GTEST_SKIP() << "adds dQ in no order";
  }
  for (const bool causal : {false, true}) {
    AttentionProblem p = problem(900, 1000, causal);
    p.heads = 6;
    p.kv_heads = 3;
    const BackwardRun run =
        run_backward_on_gpu(variant(), p, random_attention_data(p, 1), random_gradient(p), 20);
    EXPECT_EQ(run.failure, "");
    EXPECT_TRUE(run.repeats_equal);
  }
}

// Small enough for compute-sanitizer, with tails, GQA and masked tiles.
TEST_P(Backward, SmallProblemsTouchOnlyTheirOwnMemory) {
  for (const bool causal : {false, true}) {
    AttentionProblem p = problem(150, 209, causal);
    p.batch = 1;
    p.heads = 2;
    expect_accurate(p);
  }
}

RIDGEPOINT_FOR_ALL_BACKWARD(Backward);

}  // namespace
}  // namespace ridgepoint::kernels
