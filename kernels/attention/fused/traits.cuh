// The tile shape of one fused kernel and the shared memory it takes.
#pragma once

#include "kernels/attention/device/shared_tile.cuh"

namespace ridgepoint::kernels::fused {

template <typename ElementType, int HeadDim>
struct Traits {
  using Element = ElementType;
  static constexpr int head_dim = HeadDim;
  static constexpr int block_m = 128;
  // As many keys as the registers hold beside O: at head_dim 128 the accumulators of O take 128
  // registers, and 64 keys would spill.
  static constexpr int block_n = HeadDim <= 64 ? 128 : 48;
  static constexpr int warps = 4;
  static constexpr int threads = warps * 32;
  static constexpr int stages = 2;
  // Each warp owns 32 query rows (two mma row tiles), so that every K and V fragment read from
  // shared memory feeds two mma: with 16 rows the 128 bytes a clock of shared memory would bound
  // the kernel, not mma.
  static constexpr int row_tiles = block_m / (16 * warps);
  static constexpr int warp_rows = 16 * row_tiles;
  // Two blocks on an SM: one runs mma while the other is in its softmax.
  static constexpr int blocks_per_sm = 2;

  using QTile = device::SharedTile<block_m, HeadDim>;
  using KvTile = device::SharedTile<block_n, HeadDim>;
  static constexpr int stage_bytes = 2 * KvTile::bytes;  // one K and one V tile
  static constexpr int smem_bytes = QTile::bytes + stages * stage_bytes;
};

}  // namespace ridgepoint::kernels::fused
