// dS = scale * P * (dP - D), D = rowsum(P * dP): the derivative of the softmax, from P and dP in
// HBM to dS in HBM. The sum and the result are two passes over a row; the second finds it in L2.
#pragma once

#include "kernels/attention/naive/softmax.cuh"
#include "kernels/attention/naive_backward/arguments.h"

namespace ridgepoint::kernels {
namespace naive_backward {

// P and dP of eight keys as floats, 0 from the first key that the row does not see.
template <typename T>
__device__ __forceinline__ void load8(const naive::SoftmaxRow<T>& row, int vector, float (&p)[8],
                                      float (&dp)[8]) {
  naive::unpack8<T>(row.probabilities[vector], p);
  naive::unpack8<T>(row.scores[vector], dp);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const bool visible = vector * 8 + i < row.visible;
    p[i] = visible ? p[i] : 0.0F;
    dp[i] = visible ? dp[i] : 0.0F;
  }
}

}  // namespace naive_backward

// RowThreads threads share a row; a block has 256 threads.
template <typename T, int RowThreads>
__global__ void __launch_bounds__(256)
    naive_softmax_gradient(const naive_backward::SoftmaxGradientArguments p) {
  constexpr int rows_per_block = 256 / RowThreads;
  const int thread = static_cast<int>(threadIdx.x) % RowThreads;
  const std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * rows_per_block +
                             static_cast<int>(threadIdx.x) / RowThreads;
  if (index >= p.shape.query_heads * p.shape.seqlen_q) {
    return;  // whole warps only: with several warps a row there is one row a block
  }
  const naive::SoftmaxRow<T> row(p.shape, index);
  const naive::RowReduce<RowThreads> reduce;
  float sum = 0;
  for (int vector = thread; vector < row.visible_vectors; vector += RowThreads) {
    float probability[8];
    float dp[8];
    naive_backward::load8(row, vector, probability, dp);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      sum = fmaf(probability[i], dp[i], sum);
    }
  }
  const float delta = reduce.sum(sum);
  auto* const ds = reinterpret_cast<uint4*>(static_cast<T*>(p.ds) + index * p.shape.row_stride);
  for (int vector = thread; vector < row.written_vectors; vector += RowThreads) {
    float probability[8] = {};
    float dp[8] = {};
    if (vector < row.visible_vectors) {
      naive_backward::load8(row, vector, probability, dp);
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      probability[i] *= dp[i] - delta;
    }
    naive::store_probabilities<T>(ds + vector, probability, p.shape.scale);
  }
}

}  // namespace ridgepoint::kernels
