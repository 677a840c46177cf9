// Runs a variant on the GPU in surroundings that show mistakes: outputs and workspace start as NaN,
// every tensor lies between guard bands, and the bands around the inputs are NaN so that an element
// read from outside poisons the result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/attention/inputs.h"
#include "kernels/attention/variant.h"

namespace ridgepoint::kernels {

// Empty when a GPU can be used; otherwise why not, for GTEST_SKIP.
std::string no_gpu_reason();
int compute_capability();
// The same for kernels that only compute capability 9.0 has instructions for.
std::string no_hopper_reason();
std::size_t free_device_bytes();

struct GpuRun {
  std::string failure;  // empty, or the CUDA error, or which guard band or input was written
  std::vector<std::uint16_t> o;
  std::vector<float> lse;
  bool repeats_equal = true;  // every repeat gave the same bits as the first
};

GpuRun run_on_gpu(const AttentionVariant& variant, const AttentionProblem& problem,
                  const AttentionData& data, int repeats = 1, bool with_lse = true);

}  // namespace ridgepoint::kernels
