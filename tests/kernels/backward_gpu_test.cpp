// Attention backward on the GPU, every variant, element type and head dimension, against the host's
// double precision.
#include <gtest/gtest.h>

#include <tuple>

#include "kernels/attention/gradient_accuracy.h"
#include "kernels/attention/half.h"
#include "tests/kernels/backward_harness.h"

namespace ridgepoint::kernels {
namespace {

using Parameters = std::tuple<std::string, DataType, int>;

class Backward : public testing::TestWithParam<Parameters> {
 protected:
  void SetUp() override {
    const std::string reason = no_gpu_reason();
    if (!reason.empty()) {
      GTEST_SKIP() << reason;
    }
    ASSERT_NE(find_attention_backward_variant(std::get<0>(GetParam())), nullptr);
    const std::string unsupported =
        variant().unsupported_reason(problem(1, 1), compute_capability());
    if (!unsupported.empty()) {
      GTEST_SKIP() << unsupported;
    }
  }

  const AttentionBackwardVariant& variant() const {
    return *find_attention_backward_variant(std::get<0>(GetParam()));
  }
  AttentionProblem problem(int seqlen_q, int seqlen_k, bool causal = false) const {
    AttentionProblem p;
    p.batch = 2;
    p.heads = p.kv_heads = 1;
    p.seqlen_q = seqlen_q;
    p.seqlen_k = seqlen_k;
    p.head_dim = std::get<2>(GetParam());
    p.dtype = std::get<1>(GetParam());
    p.causal = causal;
    return p;
  }
  // Only the naive kernels round S and dP.
  Arithmetic yardstick() const {
    return variant().name() == "naive" ? Arithmetic::rounded_scores
                                       : Arithmetic::rounded_probabilities;
  }
  static std::vector<std::uint16_t> random_gradient(const AttentionProblem& p) {
    return random_tensor(query_elements(p), p.dtype, 7);
  }
  void expect_accurate(const AttentionProblem& p, const AttentionData& data,
                       const std::vector<std::uint16_t>& d_o) const {
    SCOPED_TRACE("batch " + std::to_string(p.batch) + ", heads " + std::to_string(p.heads) + "/" +
                 std::to_string(p.kv_heads) + ", Nq " + std::to_string(p.seqlen_q) + ", Nk " +
                 std::to_string(p.seqlen_k) + (p.causal ? ", causal" : ""));
    const BackwardRun run = run_backward_on_gpu(variant(), p, data, d_o);
    ASSERT_EQ(run.failure, "");
    const GradientBasis basis = make_gradient_basis(p, data, d_o, sample_rows(p, 200, 1),
                                                    sample_key_rows(p, 100, 1), yardstick());
    EXPECT_EQ(check_gradients(basis, run.dq, run.dk, run.dv).failure, "");
  }
  void expect_accurate(const AttentionProblem& p) const {
    expect_accurate(p, random_attention_data(p, 1), random_gradient(p));
  }
};

TEST_P(Backward, LengthsOfEveryKindAndBothMasks) {
  const std::pair<int, int> lengths[] = {{1, 1},    {64, 128},  {128, 192}, {256, 256}, {239, 1},
                                         {1, 239},  {399, 3},   {113, 203}, {128, 217}, {113, 211},
                                         {63, 65},  {65, 63},   {127, 129}, {129, 127}, {384, 256},
                                         {320, 64}, {192, 320}, {512, 513}, {700, 449}};
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

// A padded key has a score of 0; where all real scores are far below, exp(0 - LSE) is infinite.
TEST_P(Backward, VeryNegativeScoresDoNotMeetPaddedKeys) {
  const AttentionProblem p = problem(192, 448);
  AttentionData data = random_attention_data(p, 1, 0.05F);
  for (std::uint16_t& q : data.q) {
    q = encode(p.dtype, decode(p.dtype, q) + 4.0F);
  }
  for (std::uint16_t& k : data.k) {
    k = encode(p.dtype, decode(p.dtype, k) - 4.0F);
  }
  expect_accurate(p, data, random_gradient(p));
}

TEST_P(Backward, PeakedSoftmaxStaysFinite) {
  for (const bool causal : {false, true}) {
    const AttentionProblem p = problem(260, 390, causal);
    expect_accurate(p, random_attention_data(p, 1, 3.0F), random_gradient(p));
  }
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

TEST_P(Backward, ManyLaunchesBackToBackStayRight) {
  AttentionProblem p = problem(300, 400, true);
  p.heads = p.kv_heads = 2;
  const AttentionData data = random_attention_data(p, 1);
  const std::vector<std::uint16_t> d_o = random_gradient(p);
  const BackwardRun run = run_backward_on_gpu(variant(), p, data, d_o, 1000);
  ASSERT_EQ(run.failure, "");
  const GradientBasis basis = make_gradient_basis(p, data, d_o, sample_rows(p, 200, 1),
                                                  sample_key_rows(p, 100, 1), yardstick());
  EXPECT_EQ(check_gradients(basis, run.dq, run.dk, run.dv).failure, "");
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

std::string parameter_name(const testing::TestParamInfo<Parameters>& parameters) {
  return std::get<0>(parameters.param) +
         (std::get<1>(parameters.param) == DataType::fp16 ? "_fp16" : "_bf16") + "_d" +
         std::to_string(std::get<2>(parameters.param));
}

INSTANTIATE_TEST_SUITE_P(
    All, Backward,
    testing::Combine(testing::Values("naive", "fused", "hopper", "hopper_deterministic"),
                     testing::Values(DataType::fp16, DataType::bf16), testing::Values(64, 128)),
    parameter_name);

}  // namespace
}  // namespace ridgepoint::kernels
