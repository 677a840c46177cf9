// Logits that break softmax implementations, and inputs whose answer is known without a reference.
#include <cmath>

#include "tests/kernels/gpu_attention_test.h"

namespace ridgepoint::kernels {
namespace {

class AttentionNumerics : public GpuAttention {
 protected:
  float value(std::uint16_t bits) const { return decode(std::get<1>(GetParam()), bits); }
};

TEST_P(AttentionNumerics, InputsOfThreeTimesTheUsualSize) {
  for (const bool causal : {false, true}) {
    const AttentionProblem p = problem(300, 333, causal);
    expect_accurate(p, random_attention_data(p, 1, 3.0F));
  }
}

TEST_P(AttentionNumerics, TinyInputsGiveTheMeanOfV) {
  const AttentionProblem p = problem(130, 200);
  expect_accurate(p, random_attention_data(p, 1, 1e-3F));
}

TEST_P(AttentionNumerics, LogitsShiftedFarUpAndFarDown) {
  for (const float sign : {1.0F, -1.0F}) {
    for (const bool causal : {false, true}) {
      const Hostile h = shifted_logits(sign, causal);
      expect_accurate(h.problem, h.data);
    }
  }
}

TEST_P(AttentionNumerics, EqualLogitsOfMinusHalfAMillionAreNotTakenForMasked) {
  if (variant().name() == "naive" && std::get<1>(GetParam()) == DataType::fp16) {
    GTEST_SKIP() << "S in FP16 cannot hold -5e5";
  }
  for (const bool causal : {false, true}) {
    const Hostile h = equal_logits_of_minus_half_a_million(causal);
    expect_accurate(h.problem, h.data);
  }
}

TEST_P(AttentionNumerics, EqualInputs) {
  const AttentionProblem p = problem(129, 257);
  AttentionData data = random_attention_data(p, 4);
  fill(data.q, 1.0F);
  fill(data.k, 1.0F);
  expect_accurate(p, data);
}

TEST_P(AttentionNumerics, OneOutlierQueryAndOneOutlierKey) {
  for (const bool causal : {false, true}) {
    const Hostile h = outliers(causal);
    expect_accurate(h.problem, h.data, 1024);
  }
}

TEST_P(AttentionNumerics, WeightsSumToOne) {
  for (const int seqlen : {1, 65, 200, 1000}) {
    const AttentionProblem p = problem(seqlen, seqlen, true);
    AttentionData data = random_attention_data(p, 6);
    fill(data.v, 1.0F);
    const GpuRun run = run_on_gpu(variant(), p, data);
    ASSERT_EQ(run.failure, "");
    const float ulp = std::get<1>(GetParam()) == DataType::fp16 ? 0x1p-10F : 0x1p-7F;
    for (const std::uint16_t bits : run.o) {
      ASSERT_NEAR(value(bits), 1.0F, ulp) << seqlen;
    }
  }
}

// One key dominates each query: O must be that key's V, so any mistaken row or column of a tile
// shows.
TEST_P(AttentionNumerics, ASharpMatchSelectsExactlyOneRowOfV) {
  AttentionProblem p = problem(192, 192);
  p.batch = p.heads = p.kv_heads = 1;
  p.softmax_scale = 1.0F;
  AttentionData data = random_attention_data(p, 7);
  const auto d = static_cast<std::size_t>(p.head_dim);
  const auto chosen = [](std::size_t row) { return (row * 37 + 11) % 192; };
  for (std::size_t row = 0; row < 192; ++row) {
    for (std::size_t c = 0; c < d; ++c) {
      // Random +-1 codes: a match scores 4 d, any other pair far less.
      data.k[row * d + c] = encode(p.dtype, value(data.k[row * d + c]) < 0 ? -2.0F : 2.0F);
    }
  }
  for (std::size_t row = 0; row < 192; ++row) {
    for (std::size_t c = 0; c < d; ++c) {
      data.q[row * d + c] = data.k[chosen(row) * d + c];
    }
  }
  const GpuRun run = run_on_gpu(variant(), p, data);
  ASSERT_EQ(run.failure, "");
  for (std::size_t row = 0; row < 192; ++row) {
    for (std::size_t c = 0; c < d; ++c) {
      ASSERT_EQ(run.o[row * d + c], data.v[chosen(row) * d + c]) << row << ", " << c;
    }
  }
}

RIDGEPOINT_FOR_ALL_ATTENTION(AttentionNumerics);

}  // namespace
}  // namespace ridgepoint::kernels
