// Maximum and sum over the Threads threads that share a row: one warp, or a whole block.
//
// The order of additions is fixed, so results repeat bit for bit. `max` and `sum` have scratch of
// their own and must be called in turn: the barrier of one then proves that all have read the
// other's scratch.
#pragma once

namespace ridgepoint::kernels::naive {

struct Maximum {
  static __device__ __forceinline__ float apply(float a, float b) { return fmaxf(a, b); }
};
struct Sum {
  static __device__ __forceinline__ float apply(float a, float b) { return a + b; }
};

template <class Operation>
__device__ __forceinline__ float warp_reduce(float x) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    x = Operation::apply(x, __shfl_xor_sync(0xFFFFFFFFU, x, distance));
  }
  return x;
}

template <int Threads>
struct RowReduce {
  static_assert(Threads % 32 == 0 && Threads <= 1024, "whole warps of one block");

  __device__ __forceinline__ float max(float x) const { return reduce<Maximum>(x); }
  __device__ __forceinline__ float sum(float x) const { return reduce<Sum>(x); }

 private:
  template <class Operation>
  __device__ __forceinline__ float reduce(float x) const {
    x = warp_reduce<Operation>(x);
    if constexpr (Threads > 32) {
      constexpr int warps = Threads / 32;
      __shared__ float partial[warps];
      if (threadIdx.x % 32 == 0) {
        partial[threadIdx.x / 32] = x;
      }
      __syncthreads();
      x = partial[0];
#pragma unroll
      for (int warp = 1; warp < warps; ++warp) {
        x = Operation::apply(x, partial[warp]);
      }
    }
    return x;
  }
};

}  // namespace ridgepoint::kernels::naive
