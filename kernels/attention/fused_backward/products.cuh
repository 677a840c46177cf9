// The warp's parts of the five products of a step.
#pragma once

#include "kernels/attention/fused_backward/traits.cuh"

namespace ridgepoint::kernels::fused_backward {

// S = Q K^T or dP = dO V^T: 32 queries by warp_keys keys.
template <class Traits>
__device__ __forceinline__ void multiply_scores(float (&s)[2][Traits::warp_keys / 8][4],
                                                std::uint32_t queries, std::uint32_t keys,
                                                int thread) {
  const int lane = thread % 32;
  const std::uint32_t a_address =
      device::a_operand_address(queries, Traits::query_row(thread), lane);
  const std::uint32_t b_address =
      device::b_operand_address(keys, Traits::quarter(thread) * Traits::warp_keys, lane);
#pragma unroll
  for (int k = 0; k < Traits::head_dim / 16; ++k) {
    std::uint32_t a[2][4];
#pragma unroll
    for (int t = 0; t < 2; ++t) {
      device::load_matrices(
          a[t], device::step_address<typename Traits::QueryTile>(a_address, k) + t * (16 * 128));
    }
#pragma unroll
    for (int pair = 0; pair < Traits::warp_keys / 16; ++pair) {
      std::uint32_t b[4];
      device::load_matrices(
          b, device::step_address<typename Traits::KeyTile>(b_address, k) + pair * (16 * 128));
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        device::multiply_accumulate<typename Traits::Element>(s[t][2 * pair], a[t], b[0], b[1]);
        device::multiply_accumulate<typename Traits::Element>(s[t][2 * pair + 1], a[t], b[2], b[3]);
      }
    }
  }
}

// dV += P^T dO or dK += dS^T Q: warp_keys keys by half of head_dim. `matrix` is P or dS.
template <class Traits>
__device__ __forceinline__ void multiply_keys(
    float (&sum)[Traits::key_tiles][Traits::warp_columns / 8][4], std::uint32_t matrix,
    std::uint32_t queries, int thread) {
  const int lane = thread % 32;
  const int key_chunk = Traits::key_row(thread) / 8;
  const int chunk = Traits::half(thread) * (Traits::warp_columns / 8);
  const std::uint32_t a_address = device::a_transposed_operand_address(
      matrix + key_chunk / 8 * Traits::ScoreTile::panel_bytes, key_chunk, lane);
  const std::uint32_t b_address = device::b_transposed_operand_address(
      queries + chunk / 8 * Traits::QueryTile::panel_bytes, chunk, lane);
#pragma unroll 1
  for (int k = 0; k < block_m / 16; ++k) {
    std::uint32_t a[Traits::key_tiles][4];
#pragma unroll
    for (int t = 0; t < Traits::key_tiles; ++t) {
      // 16 keys further are two chunks further along the row.
      device::load_matrices_transposed(
          a[t], (a_address ^ static_cast<std::uint32_t>(t << 5)) + k * (16 * 128));
    }
#pragma unroll
    for (int pair = 0; pair < Traits::warp_columns / 16; ++pair) {
      std::uint32_t b[4];
      device::load_matrices_transposed(
          b, device::step_address<typename Traits::QueryTile>(b_address, pair) + k * (16 * 128));
#pragma unroll
      for (int t = 0; t < Traits::key_tiles; ++t) {
        device::multiply_accumulate<typename Traits::Element>(sum[t][2 * pair], a[t], b[0], b[1]);
        device::multiply_accumulate<typename Traits::Element>(sum[t][2 * pair + 1], a[t], b[2],
                                                              b[3]);
      }
    }
  }
}

// dQ = dS K: 32 queries by a quarter of head_dim.
template <class Traits>
__device__ __forceinline__ void multiply_queries(float (&dq)[2][Traits::warp_dq_columns / 8][4],
                                                 std::uint32_t ds, std::uint32_t keys, int thread) {
  const int lane = thread % 32;
  const int chunk = Traits::quarter(thread) * (Traits::warp_dq_columns / 8);
  const std::uint32_t a_address = device::a_operand_address(ds, Traits::query_row(thread), lane);
  const std::uint32_t b_address = device::b_transposed_operand_address(
      keys + chunk / 8 * Traits::KeyTile::panel_bytes, chunk, lane);
#pragma unroll
  for (int k = 0; k < Traits::block_n / 16; ++k) {
    std::uint32_t a[2][4];
#pragma unroll
    for (int t = 0; t < 2; ++t) {
      device::load_matrices(
          a[t], device::step_address<typename Traits::ScoreTile>(a_address, k) + t * (16 * 128));
    }
#pragma unroll
    for (int pair = 0; pair < Traits::warp_dq_columns / 16; ++pair) {
      std::uint32_t b[4];
      device::load_matrices_transposed(
          b, device::step_address<typename Traits::KeyTile>(b_address, pair) + k * (16 * 128));
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        device::multiply_accumulate<typename Traits::Element>(dq[t][2 * pair], a[t], b[0], b[1]);
        device::multiply_accumulate<typename Traits::Element>(dq[t][2 * pair + 1], a[t], b[2],
                                                              b[3]);
      }
    }
  }
}

}  // namespace ridgepoint::kernels::fused_backward
