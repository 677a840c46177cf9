// Logits and gradients that break backward implementations.
#include <algorithm>
#include <cmath>

#include "tests/kernels/gpu_backward_test.h"

namespace ridgepoint::kernels {
namespace {

class BackwardNumerics : public GpuBackward {
 protected:
  // Queries near 4 and keys near -4: every score is -128 or less, and so is the LSE, nearly.
  static AttentionData opposed_queries_and_keys(const AttentionProblem& p) {
    AttentionData data = random_attention_data(p, 1, 0.05F);
    for (std::uint16_t& q : data.q) {
      q = encode(p.dtype, decode(p.dtype, q) + 4.0F);
    }
    for (std::uint16_t& k : data.k) {
      k = encode(p.dtype, decode(p.dtype, k) - 4.0F);
    }
    return data;
  }
};

// A padded key has a score of 0; where all real scores are far below, exp(0 - LSE) is infinite.
TEST_P(BackwardNumerics, VeryNegativeScoresDoNotMeetPaddedKeys) {
  const AttentionProblem p = problem(192, 448);
  expect_accurate(p, opposed_queries_and_keys(p), random_gradient(p));
}

// The same with one query: its row is nearly all that a tile holds, and the other rows of the tile
// are padding whose exp(0 - LSE) would be infinite too. 16 heads, for enough rows to judge by.
TEST_P(BackwardNumerics, ASingleQueryWithAVeryNegativeLseHasFiniteGradients) {
  for (const int seqlen_k : {128, 100}) {
    const AttentionProblem p = problem(1, seqlen_k, false, 16);
    const AttentionData data = opposed_queries_and_keys(p);
    expect_accurate(p, data, random_gradient(p));
  }
}

TEST_P(BackwardNumerics, PeakedSoftmaxStaysFinite) {
  for (const bool causal : {false, true}) {
    const AttentionProblem p = problem(260, 390, causal);
    expect_accurate(p, random_attention_data(p, 1, 3.0F), random_gradient(p));
  }
}

TEST_P(BackwardNumerics, TinyInputsGiveGradientsOfTheMean) {
  const AttentionProblem p = problem(130, 200);
  expect_accurate(p, random_attention_data(p, 1, 1e-3F), random_gradient(p));
}

TEST_P(BackwardNumerics, LogitsShiftedFarUpAndFarDown) {
  for (const float sign : {1.0F, -1.0F}) {
    for (const bool causal : {false, true}) {
      const Hostile h = shifted_logits(sign, causal);
      expect_accurate(h.problem, h.data, random_gradient(h.problem));
    }
  }
}

TEST_P(BackwardNumerics, EqualLogitsOfMinusHalfAMillionAreNotTakenForMasked) {
  if (variant().name() == "naive" && dtype() == DataType::fp16) {
    GTEST_SKIP() << "S in FP16 cannot hold -5e5";
  }
  for (const bool causal : {false, true}) {
    const auto [p, data] = equal_logits_of_minus_half_a_million(causal);
    const BackwardRun run = run_backward_on_gpu(variant(), p, data, random_gradient(p));
    ASSERT_EQ(run.failure, "");
    // The LSE is kept in FP32, whose last bit at 5e5 is worth 3 % of a probability. All keys being
    // equal, exact dQ and dK are zero, of terms 250 times as large as dS: only dV has figures left.
    const GradientBasis basis = basis_of(p, data, random_gradient(p));
    double largest = 0;
    for (const double value : basis.exact.dv) {
      largest = std::max(largest, std::fabs(value));
    }
    EXPECT_LT(check_gradients(basis, run.dq, run.dk, run.dv).max_abs_error[2], 0.06 * largest);
    for (const auto* gradient : {&run.dq, &run.dk}) {
      for (const std::uint16_t bits : *gradient) {
        ASSERT_TRUE(std::isfinite(decode(dtype(), bits)));
      }
    }
  }
}

TEST_P(BackwardNumerics, OneOutlierQueryAndOneOutlierKey) {
  for (const bool causal : {false, true}) {
    const Hostile h = outliers(causal);
    expect_accurate(h.problem, h.data, random_gradient(h.problem));
  }
}

// `out.sum().backward()`: dO is one everywhere, so D is the sum of O.
TEST_P(BackwardNumerics, AConstantGradient) {
  const AttentionProblem p = problem(129, 257);
  std::vector<std::uint16_t> ones = random_gradient(p);
  fill(ones, 1.0F);
  expect_accurate(p, random_attention_data(p, 4), ones);
}

RIDGEPOINT_FOR_ALL_BACKWARD(BackwardNumerics);

}  // namespace
}  // namespace ridgepoint::kernels
