// The tile shape of one split-KV kernel.
//
// Four warps share a tile of packed rows and a step of keys. With 16 rows each warp takes a quarter
// of the keys, so that all have work; with 64 rows each takes 16 of them and all keys. A stage of
// 16 KB of K and 16 KB of V, three of them: two are on their way while one is worked on, which on
// an H200 are 64 KB an SM with one thread block, and more than HBM's latency times its bandwidth
// asks for. Two thread blocks fit an SM with 227 KB, one an SM with 99 KB.
#pragma once

#include "kernels/attention/device/shared_tile.cuh"

namespace ridgepoint::kernels::split_kv {

template <typename ElementType, int HeadDim, int WarpsM>
struct Traits {
  using Element = ElementType;
  static constexpr int head_dim = HeadDim;
  static constexpr int warps = 4;
  static constexpr int threads = 32 * warps;
  static constexpr int blocks_per_sm = 2;
  static constexpr int stages = 3;
  static constexpr int block_m = 16 * WarpsM;
  static constexpr int block_n = 8192 / HeadDim;
  static constexpr int warps_n = warps / WarpsM;  // that divide the keys of a step
  static constexpr int warp_keys = block_n / warps_n;
  static_assert(warp_keys % 16 == 0, "the keys of a warp are the depth of mma");

  using KvTile = device::SharedTile<block_n, HeadDim>;
  static constexpr int stage_bytes = 2 * KvTile::bytes;  // K, then V
  static constexpr int smem_bytes = stages * stage_bytes;

  // After the walk the ring holds every warp's rows of O in FP32, and their sums. The padding puts
  // four rows of an accumulator's pattern on different banks.
  static constexpr int o_stride = HeadDim + 8;
  static constexpr int o_rows = 16 * warps;
  static constexpr int sums_offset = o_rows * o_stride * 4;
  static_assert(sums_offset + 2 * o_rows * 4 <= smem_bytes);
};

}  // namespace ridgepoint::kernels::split_kv
