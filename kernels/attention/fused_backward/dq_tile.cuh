// The order of dQ in the FP32 sums: the accumulators of the product, each of all threads in a row,
// so that an addition of a warp covers 128 contiguous bytes. Only the conversion kernel needs to
// know where an element lies.
#pragma once

#include <cstdint>

#include "kernels/attention/fused_backward/traits.cuh"

namespace ridgepoint::kernels::fused_backward {

template <class Traits>
constexpr int dq_accumulators = block_m* Traits::head_dim / threads;

// Of a tile, in floats.
template <class Traits>
__device__ __forceinline__ std::int64_t dq_tile_offset(const recompute::RowTerms& rows, int head,
                                                       int tile) {
  return (std::int64_t{head} * rows.query_tiles + tile) * block_m * Traits::head_dim;
}

}  // namespace ridgepoint::kernels::fused_backward
