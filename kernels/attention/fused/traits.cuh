// The tile shape of one fused kernel and the shared memory it takes.
#pragma once

#include "kernels/attention/device/shared_tile.cuh"

namespace ridgepoint::kernels::fused {

// What differs between the head dimensions.
template <int HeadDim>
struct Choice {
  static constexpr int block_m = 128;
  // As many keys as the registers hold beside O: at head_dim 128 the accumulators of O take 128
  // registers, and 64 keys would spill.
  static constexpr int block_n = HeadDim <= 64 ? 128 : 48;
  static constexpr int warps = 4;
  // Two blocks on an SM: one runs mma while the other is in its softmax.
  static constexpr int blocks_per_sm = 2;
  static constexpr bool query_in_registers = false;
};

// A warp has 16 rows here, whose part of O takes 128 registers. Q waits in 64 more instead of being
// read again for every tile, since shared memory feeds one mma row tile at a time; the stages take
// the place it was copied to, so that a block fits the 99 KB of compute capability 8.6. 48 keys
// would spill. 64 rows, two blocks on an SM, would read K and V from L2 twice as often.
template <>
struct Choice<256> {
  static constexpr int block_m = 128;
  static constexpr int block_n = 32;
  static constexpr int warps = 8;
  static constexpr int blocks_per_sm = 1;
  static constexpr bool query_in_registers = true;
};

template <typename ElementType, int HeadDim>
struct Traits : Choice<HeadDim> {
  using Element = ElementType;
  static constexpr int head_dim = HeadDim;
  using Choice<HeadDim>::block_m;
  using Choice<HeadDim>::block_n;
  using Choice<HeadDim>::warps;
  using Choice<HeadDim>::query_in_registers;
  static constexpr int threads = warps * 32;
  static constexpr int stages = 2;
  // At head_dim 64 and 128 each warp owns 32 query rows (two mma row tiles), so that every K and V
  // fragment read from shared memory feeds two mma: with 16 rows the 128 bytes a clock of shared
  // memory would bound the kernel, not mma.
  static constexpr int row_tiles = block_m / (16 * warps);
  static constexpr int warp_rows = 16 * row_tiles;

  using QTile = device::SharedTile<block_m, HeadDim>;
  using KvTile = device::SharedTile<block_n, HeadDim>;
  static constexpr int stage_bytes = 2 * KvTile::bytes;  // one K and one V tile
  // Q in registers leaves its shared memory to the stages, and O comes back to it after them.
  static constexpr int stages_offset = query_in_registers ? 0 : QTile::bytes;
  static constexpr int smem_bytes = stages_offset + stages * stage_bytes > QTile::bytes
                                        ? stages_offset + stages* stage_bytes
                                        : QTile::bytes;
};

}  // namespace ridgepoint::kernels::fused
