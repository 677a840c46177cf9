// The tile shapes of one portable backward kernel and how its eight warps share each product.
//
//   S, dP   64 queries x block_n keys       2 x 4 warps
//   dV, dK  block_n keys x head_dim         4 x 2 warps
//   dQ      64 queries x head_dim           2 x 4 warps
// P and dS pass through shared memory, because every product is cut for its own best reuse of
// fragments. A thread holds dK and dV (block_n * head_dim / 128 together, 128 at most), S and dP.
#pragma once

#include "kernels/attention/device/fragments.cuh"
#include "kernels/attention/fused_backward/arguments.h"

namespace ridgepoint::kernels::fused_backward {

template <typename ElementType, int HeadDim, int BlockN>
struct Traits {
  using Element = ElementType;
  static constexpr int head_dim = HeadDim;
  static constexpr int block_n = BlockN;
  static constexpr int q_stages = 2;

  using QueryTile = device::SharedTile<block_m, HeadDim>;
  using KeyTile = device::SharedTile<block_n, HeadDim>;
  using ScoreTile = device::SharedTile<block_m, block_n>;

  static constexpr int k = 0;
  static constexpr int v = k + KeyTile::bytes;
  static constexpr int q = v + KeyTile::bytes;
  static constexpr int d_o = q + q_stages * QueryTile::bytes;
  static constexpr int p = d_o + QueryTile::bytes;
  static constexpr int ds = p + ScoreTile::bytes;
  static constexpr int smem_bytes = ds + ScoreTile::bytes;

  // S and dQ: queries by quarters of the columns.
  static constexpr int warp_keys = block_n / 4;
  static constexpr int warp_dq_columns = HeadDim / 4;
  static __device__ __forceinline__ int query_row(int thread) { return thread / 32 % 2 * 32; }
  static __device__ __forceinline__ int quarter(int thread) { return thread / 64; }
  // dV and dK: quarters of the keys by halves of head_dim.
  static constexpr int key_tiles = block_n / 64;  // of 16 keys
  static constexpr int warp_columns = HeadDim / 2;
  static __device__ __forceinline__ int key_row(int thread) { return thread / 32 % 4 * warp_keys; }
  static __device__ __forceinline__ int half(int thread) { return thread / 128; }
};

}  // namespace ridgepoint::kernels::fused_backward
