// Which rows and key tiles a thread block works on.
#pragma once

#include "kernels/attention/fused/arguments.h"

namespace ridgepoint::kernels::fused {

template <class Traits>
struct Work {
  std::int64_t query_head;  // batch * heads + head
  std::int64_t kv_head;     // batch * kv_heads + head / group
  int first_row;
  int tiles;           // key tiles visited
  int unmasked_tiles;  // of these, the leading ones that need no mask

  __device__ __forceinline__ Work(const Arguments& p, int index) {
    int query_tile = index % p.query_tiles;
    // Causal work grows with the row: longest first, so that short tiles fill the tail.
    query_tile = p.causal ? p.query_tiles - 1 - query_tile : query_tile;
    const int bh = index / p.query_tiles;
    query_head = bh;
    kv_head = static_cast<std::int64_t>(bh / p.heads) * p.kv_heads +
              (bh % p.heads) / (p.heads / p.kv_heads);
    first_row = query_tile * Traits::block_m;
    const int last = p.causal ? visible_keys(p, first_row + Traits::block_m - 1) : p.seqlen_k;
    tiles = (last + Traits::block_n - 1) / Traits::block_n;
    unmasked_tiles = visible_keys(p, first_row) / Traits::block_n;
  }
  // Bottom-right alignment: row i sees keys below i + 1 + seqlen_k - seqlen_q.
  static __device__ __forceinline__ int visible_keys(const Arguments& p, int row) {
    return p.causal ? min(p.seqlen_k, max(0, row + 1 + p.seqlen_k - p.seqlen_q)) : p.seqlen_k;
  }
};

}  // namespace ridgepoint::kernels::fused
