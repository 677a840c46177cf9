// What the GPU tests of attention share: they run for every variant, element type and head
// dimension.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "kernels/attention/accuracy.h"
#include "tests/kernels/gpu_harness.h"

namespace ridgepoint::kernels {

using AttentionParameters = std::tuple<std::string, DataType, int>;

class GpuAttention : public testing::TestWithParam<AttentionParameters> {
 protected:
  void SetUp() override {
    const std::string reason = no_gpu_reason();
    if (!reason.empty()) {
      GTEST_SKIP() << reason;
    }
    ASSERT_NE(find_attention_variant(std::get<0>(GetParam())), nullptr);
    const std::string unsupported =
        variant().unsupported_reason(problem(1, 1), compute_capability());
    if (!unsupported.empty()) {
      GTEST_SKIP() << unsupported;
    }
  }

  const AttentionVariant& variant() const {
    return *find_attention_variant(std::get<0>(GetParam()));
  }
  AttentionProblem problem(int seqlen_q, int seqlen_k, bool causal = false) const {
    AttentionProblem p;
    p.batch = 2;
    p.heads = p.kv_heads = 2;
    p.seqlen_q = seqlen_q;
    p.seqlen_k = seqlen_k;
    p.head_dim = std::get<2>(GetParam());
    p.dtype = std::get<1>(GetParam());
    p.causal = causal;
    return p;
  }
  // Only the naive kernels round S; the others are held to the tighter reference.
  Arithmetic yardstick() const {
    return variant().name() == "naive" ? Arithmetic::rounded_scores
                                       : Arithmetic::rounded_probabilities;
  }
  void expect_accurate(const AttentionProblem& p, const AttentionData& data,
                       std::int64_t max_rows = 256) const {
    SCOPED_TRACE(describe(p));
    const GpuRun run = run_on_gpu(variant(), p, data);
    ASSERT_EQ(run.failure, "");
    const AccuracyBasis basis =
        make_accuracy_basis(p, data, sample_rows(p, max_rows, 1), yardstick());
    const AccuracyResult result = check_accuracy(basis, run.o, run.lse);
    EXPECT_EQ(result.failure, "");
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

#define RIDGEPOINT_FOR_ALL_ATTENTION(suite)                                    \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      All, suite,                                                              \
      testing::Combine(testing::Values("naive", "fused"),                      \
                       testing::Values(::ridgepoint::kernels::DataType::fp16,  \
                                       ::ridgepoint::kernels::DataType::bf16), \
                       testing::Values(64, 128)),                              \
      ::ridgepoint::kernels::parameter_name);                                  \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      Hopper, suite,                                                           \
      testing::Combine(testing::Values("hopper"),                              \
                       testing::Values(::ridgepoint::kernels::DataType::fp16,  \
                                       ::ridgepoint::kernels::DataType::bf16), \
                       testing::Values(64, 128, 256)),                         \
      ::ridgepoint::kernels::parameter_name)
