// Which keys a thread block owns and which query tiles it visits.
//
// A thread block takes 128 keys of one key head and visits, for every query head of the group, all
// query tiles that see one of them: so dK and dV of a group are summed in
// registers. Without a mask neighbouring thread blocks share a head. With a causal mask early keys
// are seen by most queries: early blocks first, within sections of heads whose Q, dO and dQ fit the
// L2 cache.
#pragma once

#include "kernels/attention/hopper_backward/arguments.h"

namespace ridgepoint::kernels::hopper_backward {

template <class Traits>
struct Work {
  int kv_head;  // batch * kv_heads + kv_head
  int key_block;
  int first_key;
  int first_tile;  // query tiles before it see none of these keys
  int steps;       // visits, over all query heads of the group

  __device__ __forceinline__ Work(const Arguments& p, int index) {
    if (p.causal) {
      const int section = index / (p.section_kv_heads * p.key_blocks);
      const int first_head = section * p.section_kv_heads;
      const int heads = min(p.section_kv_heads, p.total_kv_heads - first_head);
      const int rest = index - first_head * p.key_blocks;
      key_block = p.rows.turns == nullptr ? rest / heads : p.key_blocks - 1 - rest / heads;
      kv_head = first_head + rest % heads;
    } else {
      key_block = index % p.key_blocks;
      kv_head = index / p.key_blocks;
    }
    first_key = key_block * Traits::block_n;
    first_tile = max(0, first_query(p, first_key)) / Traits::block_m;
    steps = max(0, p.query_tiles - first_tile) * (p.heads / p.kv_heads);
  }

  // How many thread blocks add to the query tile before this one.
  __device__ __forceinline__ int order_at(const Arguments& p, int tile) const {
    if (!p.causal) {
      return key_block;
    }
    const int last_key = (tile + 1) * Traits::block_m - 1 + p.seqlen_k - p.seqlen_q;
    return min(last_key / Traits::block_n, p.key_blocks - 1) - key_block;
  }

  // Bottom-right alignment: query i sees key j when j <= i + seqlen_k - seqlen_q. Negative: all do.
  static __device__ __forceinline__ int first_query(const Arguments& p, int key) {
    return p.causal ? key + p.seqlen_q - p.seqlen_k : 0;
  }
};

// The visits of a thread block in order: of every query head of the group, the tiles from `start`
// on and around. Without a mask thread blocks start at different tiles, so that those of one head
// do not all add to the same piece of dQ; where the order of additions is fixed they must start
// alike.
template <class Traits>
struct Visit {
  int query_head;
  int tile;
  int start;

  __device__ __forceinline__ Visit(const Arguments& p, const Work<Traits>& work)
      : query_head(work.kv_head * (p.heads / p.kv_heads)), start(work.first_tile) {
    if (!p.causal && p.rows.turns == nullptr && work.steps > 0) {
      start = work.first_key / Traits::block_m % p.query_tiles;
    }
    tile = start;
  }
  __device__ __forceinline__ void advance(const Arguments& p, const Work<Traits>& work) {
    ++tile;
    if (tile == p.query_tiles) {
      tile = work.first_tile;
    }
    if (tile == start) {
      ++query_head;
    }
  }
};

}  // namespace ridgepoint::kernels::hopper_backward
