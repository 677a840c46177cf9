// The order of dQ in the FP32 sums: a tile is two pieces of 64 x 64, one a consumer warpgroup, and
// a piece is the accumulators of the product (kernels/ptx/wgmma.cuh), four at a time, thread after
// thread. Only the conversion kernel needs to know where an element lies; the additions are of
// whole contiguous pieces, and no access to shared memory meets a bank conflict.
#pragma once

#include <cstdint>

#include "kernels/attention/hopper_backward/arguments.h"
#include "kernels/ptx/warpgroup.cuh"

namespace ridgepoint::kernels::hopper_backward {

constexpr int dq_piece_floats = 64 * 64;
constexpr int dq_accumulators = 32;  // of a thread

__device__ __forceinline__ std::int64_t dq_piece_index(const Arguments& p, int query_head, int tile,
                                                       int consumer) {
  return (std::int64_t{query_head} * p.query_tiles + tile) * 2 + consumer;
}

// Bytes from the start of a piece to accumulators 4*quad to 4*quad+3 of a thread.
__device__ __forceinline__ constexpr int dq_quad_bytes(int quad, int thread) {
  return (quad * ptx::warpgroup_threads + thread) * 16;
}

}  // namespace ridgepoint::kernels::hopper_backward
