// First naive kernel: S = scale * Q K^T, rounded to 16 bits and written to HBM.
//
// The scale is applied to the FP32 accumulators, so that Q.K itself may exceed the FP16 range; a scaled score
// beyond 65504 still becomes infinite in FP16, as it does in any pipeline that materialises S in FP16.
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/device/fragments.cuh"
#include "kernels/attention/naive/masking.cuh"

namespace ridgepoint::kernels {
namespace naive {

template <typename ElementType, int HeadDim>
struct ScoresTraits {
  using Element = ElementType;
  static constexpr int head_dim = HeadDim;
  static constexpr int block_n = 128;
  static constexpr int threads = 256;
  // The depth is all of head_dim; it arrives as panels of 64, and the first is used while the next is copied.
  static constexpr int panels = HeadDim / 64;
  using InputTile = device::SharedTile<block_m, 64>;
  using OutputTile = device::SharedTile<block_m, block_n>;
  static constexpr int panel_bytes = 2 * InputTile::bytes;  // Q and K
  static constexpr int smem_bytes =
      panels * panel_bytes > OutputTile::bytes ? panels * panel_bytes : OutputTile::bytes;
};

// Waits for panel `panel` when one group was committed for each.
template <int Panels>
__device__ __forceinline__ void wait_panel(int panel) {
  if (panel + 1 < Panels) {
    device::wait_copies<Panels - 1>();
  } else {
    device::wait_copies<0>();
  }
}

}  // namespace naive

template <class Traits>
__global__ void __launch_bounds__(Traits::threads, 2) naive_scores(const naive::Arguments p) {
  using T = typename Traits::Element;
  using InputTile = typename Traits::InputTile;
  using OutputTile = typename Traits::OutputTile;
  static_assert(Traits::panels <= 2, "wait_panel knows one group before the last");
  extern __shared__ __align__(1024) unsigned char shared[];

  const std::int64_t key_tiles = (p.row_stride + Traits::block_n - 1) / Traits::block_n;
  const std::int64_t index = blockIdx.x;
  const int first_key = static_cast<int>(index % key_tiles) * Traits::block_n;
  const int first_row = static_cast<int>(index / key_tiles % p.query_tiles) * naive::block_m;
  const std::int64_t query_head = index / key_tiles / p.query_tiles;
  if (first_key >= naive::tile_keys(p, first_row)) {
    return;
  }

  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t query_row = query_head * p.seqlen_q + first_row;
  const std::int64_t key_row = naive::kv_head_of(p, query_head) * p.seqlen_k + first_key;
  const std::uint32_t tiles = device::shared_address(shared);
#pragma unroll
  for (int panel = 0; panel < Traits::panels; ++panel) {
    const std::uint32_t q_tile = tiles + panel * Traits::panel_bytes;
    device::load_tile<InputTile, Traits::threads>(
        q_tile, static_cast<const T*>(p.q) + query_row * Traits::head_dim + panel * 64,
        Traits::head_dim, p.seqlen_q - first_row, thread);
    device::load_tile<InputTile, Traits::threads>(
        q_tile + InputTile::bytes,
        static_cast<const T*>(p.k) + key_row * Traits::head_dim + panel * 64, Traits::head_dim,
        p.seqlen_k - first_key, thread);
    device::commit_copies();
  }

  // Eight warps as 4 x 2: each has 32 rows by 64 columns.
  const int lane = thread % 32;
  const int warp_row = thread / 32 % 4 * 32;
  const int warp_column = thread / 128 * 64;
  float s[2][8][4] = {};
#pragma unroll
  for (int panel = 0; panel < Traits::panels; ++panel) {
    naive::wait_panel<Traits::panels>(panel);
    __syncthreads();
    const std::uint32_t q_tile = tiles + panel * Traits::panel_bytes;
    const std::uint32_t q_address = device::a_operand_address(q_tile, warp_row, lane);
    const std::uint32_t k_address =
        device::b_operand_address(q_tile + InputTile::bytes, warp_column, lane);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      std::uint32_t a[2][4];
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        device::load_matrices(a[t], device::step_address<InputTile>(q_address, k) + t * (16 * 128));
      }
#pragma unroll
      for (int pair = 0; pair < 4; ++pair) {
        std::uint32_t b[4];
        device::load_matrices(b,
                              device::step_address<InputTile>(k_address, k) + pair * (16 * 128));
#pragma unroll
        for (int t = 0; t < 2; ++t) {
          device::multiply_accumulate<T>(s[t][2 * pair], a[t], b[0], b[1]);
          device::multiply_accumulate<T>(s[t][2 * pair + 1], a[t], b[2], b[3]);
        }
      }
    }
  }

  __syncthreads();  // the inputs are used up; the result is staged over them
#pragma unroll
  for (int t = 0; t < 2; ++t) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = warp_row + 16 * t + 8 * r + lane / 4;
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        const int offset = OutputTile::offset(row, warp_column / 8 + c) + 4 * (lane % 4);
        *reinterpret_cast<std::uint32_t*>(shared + offset) = device::Element<T>::pack(
            s[t][c][2 * r] * p.scale, s[t][c][2 * r + 1] * p.scale);
      }
    }
  }
  __syncthreads();
  const std::int64_t chunks_left = (p.row_stride - first_key) / 8;
  device::store_rows<OutputTile, naive::block_m, Traits::threads>(
      shared, 0, static_cast<T*>(p.scores) + query_row * p.row_stride + first_key, p.row_stride,
      p.seqlen_q - first_row, static_cast<int>(min(chunks_left, std::int64_t{16})), thread);
}

}  // namespace ridgepoint::kernels
