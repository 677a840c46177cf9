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
  static constexpr int stages = 2;
  static constexpr int kept_query_steps = 0;
};

// A warp has 16 rows here, whose part of O takes 128 registers. K and V have one stage each: V is
// copied under the scores, the next K under the softmax and the output product. That halves the
// work between two keys' barriers, against 32 keys in two stages, and so the share of the softmax
// that nothing runs beside. Half of Q waits in registers: V takes its place in shared memory, so
// that a block fits the 99 KB of compute capability 8.6. 64 rows in blocks of four warps are as
// fast where an SM holds two such blocks, but leave half of the warps away where it holds one, and
// read K and V from L2 twice as often.
template <>
struct Choice<256> {
  static constexpr int block_m = 128;
  static constexpr int block_n = 64;
  static constexpr int warps = 8;
  static constexpr int blocks_per_sm = 1;
  static constexpr int stages = 1;
  static constexpr int kept_query_steps = 8;
};

template <typename ElementType, int HeadDim>
struct Traits : Choice<HeadDim> {
  using Element = ElementType;
  static constexpr int head_dim = HeadDim;
  using Choice<HeadDim>::block_m;
  using Choice<HeadDim>::block_n;
  using Choice<HeadDim>::warps;
  using Choice<HeadDim>::stages;
  // Of the head_dim / 16 steps of the score product, the last ones, whose part of Q is read from
  // shared memory once and not for every key tile.
  using Choice<HeadDim>::kept_query_steps;
  static constexpr int threads = warps * 32;
  // At head_dim 64 and 128 each warp owns 32 query rows (two mma row tiles), so that every K and V
  // fragment read from shared memory feeds two mma: with 16 rows the 128 bytes a clock of shared
  // memory would bound the kernel, not mma.
  static constexpr int row_tiles = block_m / (16 * warps);
  static constexpr int warp_rows = 16 * row_tiles;

  using QTile = device::SharedTile<block_m, HeadDim>;
  using KvTile = device::SharedTile<block_n, HeadDim>;
  static constexpr int stage_bytes = 2 * KvTile::bytes;  // one K and one V tile
  // The stages follow what stays of Q in shared memory, and O comes back to all of it after them. A
  // single stage is V before K, so that the first K can be copied beside Q.
  static constexpr int stages_offset =
      QTile::bytes - QTile::bytes / (HeadDim / 16) * kept_query_steps;
  static constexpr int k_offset = stages_offset + (stages == 1 ? KvTile::bytes : 0);
  static constexpr int v_offset = stages_offset + (stages == 1 ? 0 : KvTile::bytes);
  static_assert(stages == 2 ? kept_query_steps == 0 : k_offset >= QTile::bytes);
  static constexpr int smem_bytes = stages_offset + stages * stage_bytes;
  static_assert(smem_bytes >= QTile::bytes);
};

}  // namespace ridgepoint::kernels::fused
