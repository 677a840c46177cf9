// The first kernel of a backward pass with recomputation: for every query row D = rowsum(dO * O)
// (FlashAttention-2, arXiv 2307.08691, algorithm 2) and -LSE * log2(e), and zeros for the sums of
// dQ.
//
// Rows that see no key, and rows past the end that fill the last tile, get -LSE = -inf: their
// probabilities become exp2(-inf) = 0 in the main kernel without a test.
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/device/exponential.cuh"
#include "kernels/attention/recompute/row_terms.h"

namespace ridgepoint::kernels {
namespace recompute {

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

}  // namespace recompute

template <typename T, int HeadDim, int BlockM>
__global__ void __launch_bounds__(recompute::row_kernel_threads)
    backward_row_terms(const recompute::RowTerms p) {
  constexpr int threads_per_row = HeadDim / 8;
  constexpr int rows = recompute::row_kernel_rows<HeadDim>;
  // Padded rows of a head are a multiple of block_m, and so of the rows of a thread block.
  static_assert(BlockM % rows == 0);
  const int part = static_cast<int>(threadIdx.x) % threads_per_row;
  const int padded_rows = p.query_tiles * BlockM;
  const int blocks_per_head = padded_rows / rows;
  const int head = static_cast<int>(blockIdx.x) / blocks_per_head;
  const int row = static_cast<int>(blockIdx.x) % blocks_per_head * rows +
                  static_cast<int>(threadIdx.x) / threads_per_row;
  const std::int64_t padded = std::int64_t{head} * padded_rows + row;

  auto* const sum = reinterpret_cast<float4*>(p.dq_sum + padded * HeadDim);
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    sum[i * threads_per_row + part] = make_float4(0, 0, 0, 0);
  }
  if (p.turns != nullptr && row % BlockM < 2 && part == 0) {
    p.turns[padded / BlockM * 2 + row % BlockM] = 0;
  }
  float delta = 0;
  float negative_lse = -INFINITY;
  if (row < p.seqlen_q) {
    const std::int64_t index = std::int64_t{head} * p.seqlen_q + row;
    const std::int64_t vector = index * threads_per_row + part;
    delta = recompute::dot8<T>(__ldg(static_cast<const uint4*>(p.o) + vector),
                               __ldg(static_cast<const uint4*>(p.d_o) + vector));
    const float lse = __ldg(p.lse + index);
    negative_lse = lse == -INFINITY ? -INFINITY : -lse * device::log2_e;
  }
#pragma unroll
  for (int distance = threads_per_row / 2; distance > 0; distance /= 2) {
    delta += __shfl_xor_sync(0xFFFFFFFFU, delta, distance);
  }
  if (part == 0) {
    p.delta[padded] = delta;
    p.negative_lse[padded] = negative_lse;
  }
}

}  // namespace ridgepoint::kernels
