// Normalises the accumulators and writes O and the LSE.
//
// Each warp stages its own rows where its rows of Q were, which no other warp uses any more, so
// that a warp barrier is enough; from there O leaves in 16-byte stores, whole 128-byte lines at a
// time.
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/device/online_softmax.cuh"
#include "kernels/attention/device/shared_tile.cuh"
#include "kernels/attention/fused/arguments.h"

namespace ridgepoint::kernels::fused {

template <class Traits>
__device__ __forceinline__ void write_rows(
    const Arguments& p, unsigned char* tile,
    const float (&output)[Traits::row_tiles][Traits::head_dim / 8][4],
    const device::RowState<Traits::row_tiles>& state, std::int64_t query_row, int valid_rows,
    int thread) {
  const int lane = thread % 32;
  const int warp_row = thread / 32 * Traits::warp_rows;
  using T = typename Traits::Element;
  using Tile = typename Traits::QTile;
  __syncwarp();
#pragma unroll
  for (int t = 0; t < Traits::row_tiles; ++t) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = warp_row + 16 * t + 8 * r + lane / 4;
      const float sum = device::quad_sum(state.sum[t][r]);
      // Exactly 0 only where no key was visible; a NaN is left to be seen.
      const bool empty = sum == 0.0F;
      const float inverse = empty ? 0.0F : 1.0F / sum;
      if (p.lse != nullptr && lane % 4 == 0 && row < valid_rows) {
        p.lse[query_row + row] = empty ? -INFINITY : fmaf(state.max[t][r], p.scale, logf(sum));
      }
#pragma unroll
      for (int c = 0; c < Traits::head_dim / 8; ++c) {
        *reinterpret_cast<std::uint32_t*>(tile + Tile::offset(row, c) + 4 * (lane % 4)) =
            device::Element<T>::pack(output[t][c][2 * r] * inverse,
                                     output[t][c][2 * r + 1] * inverse);
      }
    }
  }
  __syncwarp();
  device::store_rows<Tile, Traits::warp_rows, 32>(
      tile, warp_row, static_cast<T*>(p.o) + query_row * Traits::head_dim, Traits::head_dim,
      valid_rows, Tile::chunks_per_row, lane);
}

}  // namespace ridgepoint::kernels::fused
