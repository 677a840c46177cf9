// The fixture of the GPU tests of attention backward: every variant, element type and head
// dimension, against the host's double precision.
#pragma once

#include "kernels/attention/gradient_accuracy.h"
#include "kernels/attention/half.h"
#include "tests/kernels/backward_harness.h"
#include "tests/kernels/gpu_variant_test.h"

namespace ridgepoint::kernels {

class GpuBackward
    : public GpuVariantTest<AttentionBackwardVariant, find_attention_backward_variant> {
 protected:
  static std::vector<std::uint16_t> random_gradient(const AttentionProblem& p) {
    return random_tensor(query_elements(p), p.dtype, 7);
  }
  GradientBasis basis_of(const AttentionProblem& p, const AttentionData& data,
                         const std::vector<std::uint16_t>& d_o) const {
    return make_gradient_basis(p, data, d_o, sample_rows(p, 200, 1), sample_key_rows(p, 100, 1),
                               yardstick());
  }
  void expect_accurate(const AttentionProblem& p, const AttentionData& data,
                       const std::vector<std::uint16_t>& d_o) const {
    SCOPED_TRACE(describe(p));
    const BackwardRun run = run_backward_on_gpu(variant(), p, data, d_o);
    ASSERT_EQ(run.failure, "");
    EXPECT_EQ(check_gradients(basis_of(p, data, d_o), run.dq, run.dk, run.dv).failure, "");
  }
  void expect_accurate(const AttentionProblem& p) const {
    expect_accurate(p, random_attention_data(p, 1), random_gradient(p));
  }
};

}  // namespace ridgepoint::kernels

#define RIDGEPOINT_FOR_ALL_BACKWARD(suite)                                                  \
  INSTANTIATE_TEST_SUITE_P(                                                                 \
      All, suite,                                                                           \
      testing::Combine(testing::Values("naive", "fused", "hopper", "hopper_deterministic"), \
                       testing::Values(::ridgepoint::kernels::DataType::fp16,               \
                                       ::ridgepoint::kernels::DataType::bf16),              \
                       testing::Values(64, 128)),                                           \
      ::ridgepoint::kernels::parameter_name)
