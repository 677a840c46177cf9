// Which packed rows and key tiles a thread block works on.
//
// The query rows of a group of heads read the same keys. They are packed position by position: row
// r of a key head is query position r / group of its head r % group. Thread blocks next to each
// other take the tiles of the same keys, so that HBM sends those once.
#pragma once

#include "kernels/attention/split_kv/arguments.h"

namespace ridgepoint::kernels::split_kv {

template <class Traits>
struct Work {
  std::int64_t kv_head;  // batch * kv_heads + key head
  int part;
  int first_row;   // packed
  int rows;        // packed rows of this tile
  int first_tile;  // key tiles [first_tile, end_tile)
  int end_tile;

  __device__ __forceinline__ Work(const Arguments& p, int index) {
    const int row_tile = index % p.row_tiles;
    const int rest = index / p.row_tiles;
    part = rest % p.parts;
    kv_head = rest / p.parts;
    first_row = row_tile * Traits::block_m;
    rows = min(Traits::block_m, p.group * p.seqlen_q - first_row);
    const int seen = visible_keys(p, first_row + rows - 1);
    const std::int64_t tiles = (seen + Traits::block_n - 1) / Traits::block_n;
    first_tile = static_cast<int>(tiles * part / p.parts);
    end_tile = static_cast<int>(tiles * (part + 1) / p.parts);
  }

  // Bottom-right alignment: position i sees keys below i + 1 + seqlen_k - seqlen_q.
  static __device__ __forceinline__ int visible_keys(const Arguments& p, int packed_row) {
    return p.causal ? min(p.seqlen_k, max(0, packed_row / p.group + 1 + p.seqlen_k - p.seqlen_q))
                    : p.seqlen_k;
  }
  // Row of Q, O and the LSE that a row of the tile stands for.
  __device__ __forceinline__ std::int64_t query_row(const Arguments& p, int row) const {
    const int packed = first_row + row;
    return (kv_head * p.group + packed % p.group) * p.seqlen_q + packed / p.group;
  }
};

}  // namespace ridgepoint::kernels::split_kv
