// Runs a backward variant on the GPU in the surroundings of gpu_harness.h: O and the LSE come from
// the portable forward kernel, every tensor lies between guard bands, gradients and workspace start
// as NaN.
#pragma once

#include "kernels/attention/backward_variant.h"
#include "tests/kernels/gpu_harness.h"

namespace ridgepoint::kernels {

struct BackwardRun {
  std::string failure;  // empty, or the CUDA error, or which guard band or input was written
  std::vector<std::uint16_t> dq;
  std::vector<std::uint16_t> dk;
  std::vector<std::uint16_t> dv;
  bool repeats_equal = true;  // every repeat gave the same bits as the first
};

BackwardRun run_backward_on_gpu(const AttentionBackwardVariant& variant,
                                const AttentionProblem& problem, const AttentionData& data,
                                const std::vector<std::uint16_t>& d_o, int repeats = 1);

}  // namespace ridgepoint::kernels
