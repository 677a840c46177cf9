// The fixture of the GPU tests of attention forward.
#pragma once

#include <vector>

#include "kernels/attention/accuracy.h"
#include "kernels/attention/half.h"
#include "tests/kernels/gpu_variant_test.h"

namespace ridgepoint::kernels {

class GpuAttention : public GpuVariantTest<AttentionVariant, find_attention_variant> {
 protected:
  AttentionProblem problem(int seqlen_q, int seqlen_k, bool causal = false) const {
    return GpuVariantTest::problem(seqlen_q, seqlen_k, causal, 2);
  }
  // `problems`, and for the Hopper kernel of head dimension 64 also one of 200 queries, which it
  // works on in tiles of 256 rows (wide_tiles in plan.h): another instance. The heads fill a GPU of
  // 78 to 199 multiprocessors, so that those tiles pay.
  std::vector<AttentionProblem> and_wide_tiles(std::vector<AttentionProblem> problems) const {
    AttentionProblem wide = problem(200, 300);
    wide.heads = 50;
    wide.kv_heads = 25;
    if (variant().name() == "hopper" && wide.head_dim == 64) {
      EXPECT_EQ(variant().tiles(wide).front().block_m, 256);
      problems.push_back(wide);
    }
    return problems;
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
};

}  // namespace ridgepoint::kernels

#define RIDGEPOINT_FOR_ALL_ATTENTION(suite)                                    \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      TwoHeadDims, suite,                                                      \
      testing::Combine(testing::Values("naive", "split_kv"),                   \
                       testing::Values(::ridgepoint::kernels::DataType::fp16,  \
                                       ::ridgepoint::kernels::DataType::bf16), \
                       testing::Values(64, 128)),                              \
      ::ridgepoint::kernels::parameter_name);                                  \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      OneKernel, suite,                                                        \
      testing::Combine(testing::Values("fused", "hopper"),                     \
                       testing::Values(::ridgepoint::kernels::DataType::fp16,  \
                                       ::ridgepoint::kernels::DataType::bf16), \
                       testing::Values(64, 128, 256)),                         \
      ::ridgepoint::kernels::parameter_name)
