// What both variants ask of a problem: the compiled instances exist for these only.
#pragma once

#include <string>

#include "kernels/attention/validate.h"

namespace ridgepoint::kernels {

// Empty when tensor-core kernels of this build can run the problem.
inline std::string instance_missing_reason(const AttentionProblem& p, int compute_capability) {
  std::string reason = invalid_reason(p);
  if (!reason.empty()) {
    return reason;
  }
  if (compute_capability < 80) {
    return "needs compute capability 8.0 or later (cp.async and BF16 tensor cores); this GPU has " +
           std::to_string(compute_capability / 10) + "." + std::to_string(compute_capability % 10);
  }
  if (p.head_dim != 64 && p.head_dim != 128) {
    return "built for head_dim 64 and 128, not " + std::to_string(p.head_dim);
  }
  return {};
}

// CUDA's limit for grid.x.
constexpr std::int64_t max_grid_blocks = 2147483647;

inline std::string grid_too_large_reason(std::int64_t blocks) {
  return blocks > max_grid_blocks
             ? "needs " + std::to_string(blocks) + " thread blocks, more than one launch can have"
             : std::string();
}

}  // namespace ridgepoint::kernels
