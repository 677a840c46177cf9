// The first kernel: for every query row D = rowsum(dO * O) (FlashAttention-2, arXiv 2307.08691,
// algorithm 2) and -LSE * log2(e), and zeros for the sums of dQ.
//
// Rows that see no key, and rows past the end that fill the last tile, get -LSE = -inf: their
// probabilities become exp2(-inf) = 0 in the main kernel without a test.
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/hopper/softmax.cuh"
#include "kernels/attention/hopper_backward/traits.cuh"

namespace ridgepoint::kernels {
namespace hopper_backward {

constexpr int row_kernel_threads = 256;

template <class Traits>
struct RowKernel {
  static constexpr int threads_per_row = Traits::head_dim / 8;  // 16 bytes each
  static constexpr int rows = row_kernel_threads / threads_per_row;
};

template <typename T>
__device__ __forceinline__ float dot8(const uint4& a, const uint4& b) {
  const std::uint32_t x[4] = {a.x, a.y, a.z, a.w};
  const std::uint32_t y[4] = {b.x, b.y, b.z, b.w};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 u = device::Element<T>::unpack(x[i]);
    const float2 w = device::Element<T>::unpack(y[i]);
    sum = fmaf(u.x, w.x, fmaf(u.y, w.y, sum));
  }
  return sum;
}

}  // namespace hopper_backward

template <class Traits>
__global__ void __launch_bounds__(hopper_backward::row_kernel_threads)
    hopper_backward_rows(const __grid_constant__ hopper_backward::Arguments p) {
  using Kernel = hopper_backward::RowKernel<Traits>;
  const int part = static_cast<int>(threadIdx.x) % Kernel::threads_per_row;
  // Padded rows of a head are a multiple of block_m, and so of the rows of a thread block.
  static_assert(Traits::block_m % Kernel::rows == 0);
  const int padded_rows = p.query_tiles * Traits::block_m;
  const int blocks_per_head = padded_rows / Kernel::rows;
  const int head = static_cast<int>(blockIdx.x) / blocks_per_head;
  const int row = static_cast<int>(blockIdx.x) % blocks_per_head * Kernel::rows +
                  static_cast<int>(threadIdx.x) / Kernel::threads_per_row;
  const std::int64_t padded = std::int64_t{head} * padded_rows + row;

  auto* const sum = reinterpret_cast<float4*>(p.dq_sum + padded * Traits::head_dim);
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    sum[i * Kernel::threads_per_row + part] = make_float4(0, 0, 0, 0);
  }
  if (p.turns != nullptr && row % Traits::block_m < 2 && part == 0) {
    p.turns[padded / Traits::block_m * 2 + row % Traits::block_m] = 0;
  }
  float delta = 0;
  float negative_lse = -INFINITY;
  if (row < p.seqlen_q) {
    const std::int64_t index = std::int64_t{head} * p.seqlen_q + row;
    const std::int64_t vector = index * Kernel::threads_per_row + part;
    delta = hopper_backward::dot8<typename Traits::Element>(
        __ldg(static_cast<const uint4*>(p.o_rows) + vector),
        __ldg(static_cast<const uint4*>(p.do_rows) + vector));
    const float lse = __ldg(p.lse + index);
    negative_lse = lse == -INFINITY ? -INFINITY : -lse * hopper::log2_e;
  }
#pragma unroll
  for (int distance = Kernel::threads_per_row / 2; distance > 0; distance /= 2) {
    delta += __shfl_xor_sync(0xFFFFFFFFU, delta, distance);
  }
  if (part == 0) {
    p.delta[padded] = delta;
    p.negative_lse[padded] = negative_lse;
  }
}

}  // namespace ridgepoint::kernels
