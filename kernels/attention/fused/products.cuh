// The two matrix products of one key tile, as one warp sees them: its rows by the whole tile.
#pragma once

#include "kernels/attention/device/products.cuh"

namespace ridgepoint::kernels::fused {

// The A operands of Q: read from shared memory at every step, since registers are worth more than
// that traffic, but for those of the last steps that the traits keep; `load` reads these once,
// after which their part of the tile may be overwritten.
template <class Traits>
class QueryOperands {
 public:
  static constexpr int first_kept = Traits::head_dim / 16 - Traits::kept_query_steps;

  __device__ __forceinline__ void load(std::uint32_t q_tile, int warp_row, int lane) {
    const std::uint32_t address = device::a_operand_address(q_tile, warp_row, lane);
#pragma unroll
    for (int k = 0; k < Traits::kept_query_steps; ++k) {
      read(kept_[k], address, first_kept + k);
    }
  }
  __device__ __forceinline__ void get(std::uint32_t (&a)[Traits::row_tiles][4],
                                      std::uint32_t address, int k) const {
    if (k < first_kept) {
      read(a, address, k);
      return;
    }
#pragma unroll
    for (int t = 0; t < Traits::row_tiles; ++t) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        a[t][i] = kept_[k - first_kept][t][i];
      }
    }
  }

 private:
  static __device__ __forceinline__ void read(std::uint32_t (&a)[Traits::row_tiles][4],
                                              std::uint32_t address, int k) {
#pragma unroll
    for (int t = 0; t < Traits::row_tiles; ++t) {
      device::load_matrices(a[t], device::step_address<typename Traits::QTile>(address, k) +
                                      t * device::step_rows_bytes);
    }
  }

  std::uint32_t kept_[Traits::kept_query_steps == 0 ? 1 : Traits::kept_query_steps]
                     [Traits::row_tiles][4];
};

// s = Q K^T, unscaled.
template <class Traits>
__device__ __forceinline__ void score_product(float (&s)[Traits::row_tiles][Traits::block_n / 8][4],
                                              const QueryOperands<Traits>& query,
                                              std::uint32_t q_tile, int warp_row,
                                              std::uint32_t k_tile, int lane) {
#pragma unroll
  for (int t = 0; t < Traits::row_tiles; ++t) {
#pragma unroll
    for (int c = 0; c < Traits::block_n / 8; ++c) {
      s[t][c][0] = s[t][c][1] = s[t][c][2] = s[t][c][3] = 0.0F;
    }
  }
  const std::uint32_t query_address = device::a_operand_address(q_tile, warp_row, lane);
  const std::uint32_t key_address = device::b_operand_address(k_tile, 0, lane);
#pragma unroll
  for (int k = 0; k < Traits::head_dim / 16; ++k) {
    std::uint32_t a[Traits::row_tiles][4];
    query.get(a, query_address, k);
    const std::uint32_t step = device::step_address<typename Traits::KvTile>(key_address, k);
#pragma unroll
    for (int pair = 0; pair < Traits::block_n / 16; ++pair) {
      std::uint32_t b[4];
      device::load_matrices(b, step + pair * device::step_rows_bytes);
      device::multiply_pair<typename Traits::Element>(s, pair, a, b);
    }
  }
}

// o += P V.
template <class Traits>
__device__ __forceinline__ void output_product(
    float (&o)[Traits::row_tiles][Traits::head_dim / 8][4],
    const std::uint32_t (&p)[Traits::row_tiles][Traits::block_n / 8][2], std::uint32_t v_tile,
    int lane) {
  device::multiply_probabilities<typename Traits::Element, typename Traits::KvTile>(
      o, p, device::b_transposed_operand_address(v_tile, 0, lane));
}

}  // namespace ridgepoint::kernels::fused
