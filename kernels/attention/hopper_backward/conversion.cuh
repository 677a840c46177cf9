// The last kernel: dQ = scale * sums, rounded to 16 bits, from the order of dq_tile.cuh to rows.
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/hopper_backward/dq_tile.cuh"
#include "kernels/attention/hopper_backward/traits.cuh"

namespace ridgepoint::kernels {
namespace hopper_backward {

constexpr int conversion_threads = 2 * ptx::warpgroup_threads;

// Rows of the tile in shared memory are 16 bytes longer than their data: eight rows then start at
// eight different groups of banks.
template <class Traits>
constexpr int conversion_row_bytes = Traits::head_dim * 2 + 16;

}  // namespace hopper_backward

template <class Traits>
__global__ void __launch_bounds__(hopper_backward::conversion_threads)
    hopper_backward_conversion(const __grid_constant__ hopper_backward::Arguments p) {
  using Element = device::Element<typename Traits::Element>;
  constexpr int row_bytes = hopper_backward::conversion_row_bytes<Traits>;
  __shared__ __align__(16) unsigned char tile[Traits::block_m * row_bytes];
  const int piece = static_cast<int>(threadIdx.x) / ptx::warpgroup_threads;
  const int thread = static_cast<int>(threadIdx.x) % ptx::warpgroup_threads;
  const int head = static_cast<int>(blockIdx.x) / p.query_tiles;
  const int query_tile = static_cast<int>(blockIdx.x) % p.query_tiles;

  const auto* const sums = reinterpret_cast<const unsigned char*>(
      p.rows.dq_sum + hopper_backward::dq_piece_index(p, head, query_tile, piece) *
                          hopper_backward::dq_piece_floats);
  const int first_row =
      (Traits::dq_by_columns ? 0 : 64 * piece) + thread / 32 * 16 + thread % 32 / 4;
  const int first_column = (Traits::dq_by_columns ? 64 * piece : 0) + 2 * (thread % 4);
#pragma unroll
  for (int quad = 0; quad < hopper_backward::dq_accumulators / 4; ++quad) {
    const float4 sum = __ldcs(
        reinterpret_cast<const float4*>(sums + hopper_backward::dq_quad_bytes(quad, thread)));
    const int offset = first_row * row_bytes + (first_column + 8 * quad) * 2;
    *reinterpret_cast<std::uint32_t*>(tile + offset) =
        Element::pack(sum.x * p.scale, sum.y * p.scale);
    *reinterpret_cast<std::uint32_t*>(tile + offset + 8 * row_bytes) =
        Element::pack(sum.z * p.scale, sum.w * p.scale);
  }
  __syncthreads();
  constexpr int chunks_per_row = Traits::head_dim / 8;
  const int rows = min(Traits::block_m, p.seqlen_q - query_tile * Traits::block_m);
  auto* const destination =
      static_cast<uint4*>(p.dq) +
      (std::int64_t{head} * p.seqlen_q + std::int64_t{query_tile} * Traits::block_m) *
          chunks_per_row;
  for (int i = static_cast<int>(threadIdx.x); i < rows * chunks_per_row;
       i += hopper_backward::conversion_threads) {
    destination[i] = *reinterpret_cast<const uint4*>(tile + i / chunks_per_row * row_bytes +
                                                     i % chunks_per_row * 16);
  }
}

}  // namespace ridgepoint::kernels
