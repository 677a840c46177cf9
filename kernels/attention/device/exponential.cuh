// Exponentials to the base of two, and what a softmax needs on the accumulators of a product, where
// four neighbouring lanes share a row.
#pragma once

namespace ridgepoint::kernels::device {

constexpr float log2_e = 1.4426950408889634F;

// One MUFU.EX2 without the denormal handling that exp2f adds; exp2(-inf) is +0.
__device__ __forceinline__ float fast_exp2(float x) {
  float y = 0;
  asm("ex2.approx.ftz.f32 %0, %1;\n" : "=f"(y) : "f"(x));
  return y;
}

__device__ __forceinline__ float quad_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFFU, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xFFFFFFFFU, x, 2));
}

__device__ __forceinline__ float quad_sum(float x) {
  x += __shfl_xor_sync(0xFFFFFFFFU, x, 1);
  return x + __shfl_xor_sync(0xFFFFFFFFU, x, 2);
}

}  // namespace ridgepoint::kernels::device
