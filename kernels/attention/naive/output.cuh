// Third naive kernel: O = P V. A thread block covers all of head_dim, so P crosses HBM once; V is
// small and comes from L2 after its first reader.
#pragma once

#include "kernels/attention/device/products.cuh"
#include "kernels/attention/naive/masking.cuh"

namespace ridgepoint::kernels {
namespace naive {

template <typename ElementType, int HeadDim>
struct OutputTraits {
  using Element = ElementType;
  static constexpr int head_dim = HeadDim;
  static constexpr int block_k = 64;  // keys of one step
  static constexpr int threads = 256;
  // As deep as two blocks on an SM of 164 KB allow: 96 KB or less each.
  static constexpr int stages = HeadDim <= 64 ? 3 : 2;
  using PTile = device::SharedTile<block_m, block_k>;
  using VTile = device::SharedTile<block_k, HeadDim>;
  using OutputTile = device::SharedTile<block_m, HeadDim>;
  static constexpr int stage_bytes = PTile::bytes + VTile::bytes;
  static constexpr int smem_bytes = stages * stage_bytes;
  static_assert(OutputTile::bytes <= smem_bytes, "O is staged over the inputs");

  // Eight warps as 4 x 2: each has 32 rows by half of head_dim.
  static constexpr int warp_columns = HeadDim / 2;
  static __device__ __forceinline__ int warp_row(int thread) { return thread / 32 % 4 * 32; }
  static __device__ __forceinline__ int warp_chunk(int thread) {
    return thread / 128 * (warp_columns / 8);
  }
};

}  // namespace naive

template <class Traits>
__global__ void __launch_bounds__(Traits::threads, 2) naive_output(const naive::Arguments p) {
  using T = typename Traits::Element;
  using PTile = typename Traits::PTile;
  using VTile = typename Traits::VTile;
  using OutputTile = typename Traits::OutputTile;
  constexpr int warp_columns = Traits::warp_columns;
  extern __shared__ __align__(1024) unsigned char shared[];

  const std::int64_t index = blockIdx.x;
  const int first_row = static_cast<int>(index % p.query_tiles) * naive::block_m;
  const std::int64_t query_head = index / p.query_tiles;
  const std::int64_t query_row = query_head * p.seqlen_q + first_row;
  const T* const probabilities = static_cast<const T*>(p.probabilities) + query_row * p.row_stride;
  const T* const values =
      static_cast<const T*>(p.v) + naive::kv_head_of(p, query_head) * p.seqlen_k * Traits::head_dim;
  const int keys = naive::tile_keys(p, first_row);
  const int steps = (keys + Traits::block_k - 1) / Traits::block_k;
  const std::uint32_t tiles = device::shared_address(shared);

  // Commits a group even past the end, so that waiting for all but stages - 2 groups is always
  // right.
  const auto load_step = [&](int step, int thread) {
    if (step < steps) {
      const int first_key = step * Traits::block_k;
      const std::uint32_t stage = tiles + step % Traits::stages * Traits::stage_bytes;
      device::load_tile<PTile, Traits::threads>(stage, probabilities + first_key, p.row_stride,
                                                p.seqlen_q - first_row, thread,
                                                (keys - first_key + 7) / 8);
      device::load_tile<VTile, Traits::threads>(
          stage + PTile::bytes, values + static_cast<std::int64_t>(first_key) * Traits::head_dim,
          Traits::head_dim, p.seqlen_k - first_key, thread);
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
    const int lane = thread % 32;
    load_step(step + Traits::stages - 1, thread);
    const std::uint32_t stage = tiles + step % Traits::stages * Traits::stage_bytes;
    const std::uint32_t p_address =
        device::a_operand_address(stage, Traits::warp_row(thread), lane);
    const int warp_chunk = Traits::warp_chunk(thread);
    const std::uint32_t v_address = device::b_transposed_operand_address(
        stage + PTile::bytes + warp_chunk / 8 * VTile::panel_bytes, warp_chunk, lane);
    // By two, not fully: more loads in flight than these would spill the accumulators of head_dim
    // 128.
    device::multiply<T, PTile, VTile, Traits::block_k / 16, 2>(o, p_address, v_address);
  }

  device::wait_copies<0>();
  __syncthreads();
  const int thread = device::reread_thread_index();
  device::stage_accumulators<T, OutputTile>(shared, o, Traits::warp_row(thread),
                                            Traits::warp_chunk(thread), thread % 32);
  __syncthreads();
  device::store_rows<OutputTile, naive::block_m, Traits::threads>(
      shared, 0, static_cast<T*>(p.o) + query_row * Traits::head_dim, Traits::head_dim,
      p.seqlen_q - first_row, OutputTile::chunks_per_row, thread);
}

}  // namespace ridgepoint::kernels
