// What the GPU tests of attention share, forward and backward: they run for every variant, element
// type and head dimension, and are skipped where the GPU is missing or cannot run the variant.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "kernels/attention/half.h"
#include "kernels/attention/reference.h"
#include "tests/kernels/gpu_harness.h"

namespace ridgepoint::kernels {

using AttentionParameters = std::tuple<std::string, DataType, int>;

// `find` is find_attention_variant or find_attention_backward_variant.
template <class Variant, const Variant* (*find)(const std::string&)>
class GpuVariantTest : public testing::TestWithParam<AttentionParameters> {
 protected:
  void SetUp() override {
    const std::string reason = no_gpu_reason();
    if (!reason.empty()) {
      GTEST_SKIP() << reason;
    }
    ASSERT_NE(find(std::get<0>(GetParam())), nullptr);
    const std::string unsupported =
        variant().unsupported_reason(problem(1, 1), compute_capability());
    if (!unsupported.empty()) {
      GTEST_SKIP() << unsupported;
    }
  }

  const Variant& variant() const { return *find(std::get<0>(GetParam())); }
  DataType dtype() const { return std::get<1>(GetParam()); }
  // Two sequences of `heads` heads.
  AttentionProblem problem(int seqlen_q, int seqlen_k, bool causal = false, int heads = 1) const {
    AttentionProblem p;
    p.batch = 2;
    p.heads = p.kv_heads = heads;
    p.seqlen_q = seqlen_q;
    p.seqlen_k = seqlen_k;
    p.head_dim = std::get<2>(GetParam());
    p.dtype = dtype();
    p.causal = causal;
    return p;
  }
  // Only the naive kernels round S and dP; the others are held to the tighter reference.
  Arithmetic yardstick() const {
    return variant().name() == "naive" ? Arithmetic::rounded_scores
                                       : Arithmetic::rounded_probabilities;
  }

  // Spoilers of inputs.
  void fill(std::vector<std::uint16_t>& tensor, float value) const {
    tensor.assign(tensor.size(), encode(dtype(), value));
  }
  // Column 0 of Q and K shifts every logit by scale * q * k.
  void set_column(std::vector<std::uint16_t>& tensor, int column, float value) const {
    const auto d = static_cast<std::size_t>(std::get<2>(GetParam()));
    for (std::size_t i = static_cast<std::size_t>(column); i < tensor.size(); i += d) {
      tensor[i] = encode(dtype(), value);
    }
  }
  void multiply_row(std::vector<std::uint16_t>& tensor, std::size_t row, float factor) const {
    const auto d = static_cast<std::size_t>(std::get<2>(GetParam()));
    for (std::size_t i = row * d; i < (row + 1) * d; ++i) {
      tensor[i] = encode(dtype(), factor * decode(dtype(), tensor[i]));
    }
  }

  // Inputs that break softmax implementations.
  struct Hostile {
    AttentionProblem problem;
    AttentionData data;
  };
  // All logits shifted by 120 times `sign`.
  Hostile shifted_logits(float sign, bool causal) const {
    Hostile h{problem(200, 300, causal), {}};
    h.problem.softmax_scale = 0.125F;
    h.data = random_attention_data(h.problem, 2);
    set_column(h.data.q, 0, 32.0F);
    set_column(h.data.k, 0, sign * 30.0F);  // 32 * 30 / 8 = 120
    return h;
  }
  Hostile equal_logits_of_minus_half_a_million(bool causal) const {
    Hostile h{problem(150, 260, causal), {}};
    h.problem.softmax_scale = 8.0F / static_cast<float>(h.problem.head_dim);
    h.data = random_attention_data(h.problem, 3);
    fill(h.data.q, 250.0F);
    fill(h.data.k, -250.0F);
    return h;
  }
  Hostile outliers(bool causal) const {
    Hostile h{problem(256, 256, causal), {}};
    h.data = random_attention_data(h.problem, 5);
    multiply_row(h.data.q, 77, 30.0F);
    multiply_row(h.data.k, 100, 30.0F);
    return h;
  }

  static std::string describe(const AttentionProblem& p) {
    return "batch " + std::to_string(p.batch) + ", heads " + std::to_string(p.heads) + "/" +
           std::to_string(p.kv_heads) + ", Nq " + std::to_string(p.seqlen_q) + ", Nk " +
           std::to_string(p.seqlen_k) + (p.causal ? ", causal" : "");
  }
};

inline std::string parameter_name(const testing::TestParamInfo<AttentionParameters>& info) {
  return std::get<0>(info.param) + (std::get<1>(info.param) == DataType::fp16 ? "_fp16" : "_bf16") +
         "_d" + std::to_string(std::get<2>(info.param));
}

}  // namespace ridgepoint::kernels
