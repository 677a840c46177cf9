// The last kernel: dQ = scale * sums, rounded to 16 bits, from the order of dq_tile.cuh to rows.
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/fused_backward/dq_tile.cuh"

namespace ridgepoint::kernels {

template <class Traits>
__global__ void __launch_bounds__(fused_backward::threads)
    fused_backward_conversion(const __grid_constant__ fused_backward::Arguments p) {
  using T = typename Traits::Element;
  using Tile = typename Traits::QueryTile;
  constexpr int column_groups = Traits::warp_dq_columns / 8;
  __shared__ __align__(1024) unsigned char tile[Tile::bytes];
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32;
  const int head = static_cast<int>(blockIdx.x) / p.rows.query_tiles;
  const int query_tile = static_cast<int>(blockIdx.x) % p.rows.query_tiles;
  const float* const sums =
      p.rows.dq_sum + fused_backward::dq_tile_offset<Traits>(p.rows, head, query_tile) + thread;
#pragma unroll
  for (int t = 0; t < 2; ++t) {
#pragma unroll
    for (int c = 0; c < column_groups; ++c) {
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        const float* const pair =
            sums + ((t * column_groups + c) * 4 + 2 * r) * fused_backward::threads;
        const int row = Traits::query_row(thread) + 16 * t + 8 * r + lane / 4;
        const int chunk = Traits::quarter(thread) * column_groups + c;
        *reinterpret_cast<std::uint32_t*>(tile + Tile::offset(row, chunk) + 4 * (lane % 4)) =
            device::Element<T>::pack(__ldcs(pair) * p.scale,
                                     __ldcs(pair + fused_backward::threads) * p.scale);
      }
    }
  }
  __syncthreads();
  const int first_row = query_tile * fused_backward::block_m;
  device::store_rows<Tile, fused_backward::block_m, fused_backward::threads>(
      tile, 0,
      static_cast<T*>(p.dq) + (std::int64_t{head} * p.seqlen_q + first_row) * Traits::head_dim,
      Traits::head_dim, p.seqlen_q - first_row, Tile::chunks_per_row, thread);
}

}  // namespace ridgepoint::kernels
