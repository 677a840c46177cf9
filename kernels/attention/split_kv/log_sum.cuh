// The log-sum-exp of a row, from its greatest score and what was summed against it.
#pragma once

#include "kernels/attention/split_kv/arguments.h"

namespace ridgepoint::kernels::split_kv {

// Log of the sum over keys of exp(scale * score). A sum is exactly 0 only where no key was visible.
__device__ __forceinline__ float log_sum(float max, float sum, float scale) {
  return sum == 0.0F ? -INFINITY : fmaf(max, scale, logf(sum));
}

}  // namespace ridgepoint::kernels::split_kv
