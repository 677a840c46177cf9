// out = M^T X, summed over the query heads of a group: dV = P^T dO and dK = dS^T Q. A thread block
// has 128 keys by all of head_dim and walks the queries that see them, so M crosses HBM once.
#pragma once

#include "kernels/attention/naive/output.cuh"
#include "kernels/attention/naive_backward/arguments.h"

namespace ridgepoint::kernels {
namespace naive_backward {

template <typename ElementType, int HeadDim>
struct KeyGradientTraits {
  using Element = ElementType;
  static constexpr int head_dim = HeadDim;
  static constexpr int block_k = 64;  // queries of one step
  static constexpr int threads = 256;
  static constexpr int stages = HeadDim <= 64 ? 3 : 2;
  using MatrixTile = device::SharedTile<block_k, block_n>;
  using RowTile = device::SharedTile<block_k, HeadDim>;
  using OutputTile = device::SharedTile<block_n, HeadDim>;
  static constexpr int stage_bytes = MatrixTile::bytes + RowTile::bytes;
  static constexpr int smem_bytes = stages * stage_bytes;
  static_assert(OutputTile::bytes <= smem_bytes, "the result is staged over the inputs");

  // Eight warps as 4 x 2: each has 32 keys by half of head_dim.
  static constexpr int warp_columns = HeadDim / 2;
  static __device__ __forceinline__ int warp_key(int thread) { return thread / 32 % 4 * 32; }
  static __device__ __forceinline__ int warp_chunk(int thread) {
    return thread / 128 * (warp_columns / 8);
  }
};

// The first query that sees the key, rounded down to a step.
template <class Traits>
__device__ __forceinline__ int first_step(const naive::Arguments& p, int key) {
  return p.causal ? max(0, key + p.seqlen_q - p.seqlen_k) / Traits::block_k : 0;
}

// The warp's part of one step.
template <class Traits>
__device__ __forceinline__ void multiply_step(float (&o)[2][Traits::warp_columns / 8][4],
                                              std::uint32_t stage, int thread) {
  using MatrixTile = typename Traits::MatrixTile;
  using RowTile = typename Traits::RowTile;
  const int lane = thread % 32;
  const int key_chunk = Traits::warp_key(thread) / 8;
  const int warp_chunk = Traits::warp_chunk(thread);
  const std::uint32_t matrix = stage + key_chunk / 8 * MatrixTile::panel_bytes;
  const std::uint32_t b_address = device::b_transposed_operand_address(
      stage + MatrixTile::bytes + warp_chunk / 8 * RowTile::panel_bytes, warp_chunk, lane);
  const std::uint32_t a_address = device::a_transposed_operand_address(matrix, key_chunk, lane);
  // By two, not fully: more loads in flight than these would spill the accumulators of head_dim
  // 128.
  device::multiply_transposed<typename Traits::Element, RowTile, Traits::block_k / 16, 2>(
      o, a_address, b_address);
}

}  // namespace naive_backward

template <class Traits>
__global__ void __launch_bounds__(Traits::threads, 2)
    naive_key_gradient(const naive_backward::KeyGradientArguments p) {
  using T = typename Traits::Element;
  using OutputTile = typename Traits::OutputTile;
  constexpr int warp_columns = Traits::warp_columns;
  extern __shared__ __align__(1024) unsigned char shared[];

  const int first_key = static_cast<int>(blockIdx.x) % p.key_blocks * naive_backward::block_n;
  const std::int64_t kv_head = static_cast<int>(blockIdx.x) / p.key_blocks;
  const int group = p.shape.heads / p.shape.kv_heads;
  const int first = naive_backward::first_step<Traits>(p.shape, first_key);
  const int last = (p.shape.seqlen_q + Traits::block_k - 1) / Traits::block_k;
  const int steps_per_head = max(0, last - first);
  const int steps = steps_per_head * group;
  const std::uint32_t tiles = device::shared_address(shared);

  // Commits a group even past the end, so that waiting for all but stages - 2 groups is always
  // right.
  const auto load_step = [&](int step, int thread) {
    if (step < steps) {
      const int first_row = (first + step % steps_per_head) * Traits::block_k;
      const std::int64_t row =
          (kv_head * group + step / steps_per_head) * p.shape.seqlen_q + first_row;
      const std::uint32_t stage = tiles + step % Traits::stages * Traits::stage_bytes;
      device::load_tile<typename Traits::MatrixTile, Traits::threads>(
          stage, static_cast<const T*>(p.matrix) + row * p.shape.row_stride + first_key,
          p.shape.row_stride, p.shape.seqlen_q - first_row, thread,
          (naive::tile_keys(p.shape, first_row) - first_key + 7) / 8);
      device::load_tile<typename Traits::RowTile, Traits::threads>(
          stage + Traits::MatrixTile::bytes, static_cast<const T*>(p.rows) + row * Traits::head_dim,
          Traits::head_dim, p.shape.seqlen_q - first_row, thread);
    }
    device::commit_copies();
  };

  float o[2][warp_columns / 8][4] = {};
#pragma unroll
  for (int step = 0; step < Traits::stages - 1; ++step) {
    load_step(step, static_cast<int>(threadIdx.x));
  }
  for (int step = 0; step < steps; ++step) {
    device::wait_copies<Traits::stages - 2>();
    __syncthreads();  // the step has arrived for all, and all have left the stage that is loaded
                      // next
    const int thread = device::reread_thread_index();
    load_step(step + Traits::stages - 1, thread);
    naive_backward::multiply_step<Traits>(o, tiles + step % Traits::stages * Traits::stage_bytes,
                                          thread);
  }

  device::wait_copies<0>();
  __syncthreads();
  const int thread = device::reread_thread_index();
  device::stage_accumulators<T, OutputTile>(shared, o, Traits::warp_key(thread),
                                            Traits::warp_chunk(thread), thread % 32);
  __syncthreads();
  device::store_rows<OutputTile, naive_backward::block_n, Traits::threads>(
      shared, 0,
      static_cast<T*>(p.out) + (kv_head * p.shape.seqlen_k + first_key) * Traits::head_dim,
      Traits::head_dim, p.shape.seqlen_k - first_key, OutputTile::chunks_per_row, thread);
}

}  // namespace ridgepoint::kernels
