// The warp's parts of the five products of a step.
#pragma once

#include "kernels/attention/device/products.cuh"
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
  device::multiply_by_transposed<typename Traits::Element, typename Traits::QueryTile,
                                 typename Traits::KeyTile>(s, a_address, b_address);
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
  device::multiply_transposed<typename Traits::Element, typename Traits::QueryTile, block_m / 16,
                              1>(sum, a_address, b_address);
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
  constexpr int steps = Traits::block_n / 16;
  device::multiply<typename Traits::Element, typename Traits::ScoreTile, typename Traits::KeyTile,
                   steps, steps>(dq, a_address, b_address);
}

}  // namespace ridgepoint::kernels::fused_backward
