// Which rows and key tiles a query tile stands for, and the order in which query tiles are handed
// out.
//
// Without a mask: in turn, rows first, so that the thread blocks of one moment share K and V. Tiles
// cost the same but for a short last one of each head. The grid is often a multiple of the tiles of
// a head; a thread block would then get the same tile of every head, and the short ones would all
// fall to a few. So each round of the grid moves on by one tile within the heads.
// With a causal mask the cost grows with the row: longest first within
// sections of heads whose K and V fit the L2 cache, from a counter, so that the short tiles at the
// end of a section fill the gaps.
#pragma once

#include "kernels/attention/hopper/arguments.h"

namespace ridgepoint::kernels::hopper {

template <class Traits>
struct Work {
  int query_head;  // batch * heads + head: the third coordinate of Q and O
  int kv_head;     // batch * kv_heads + kv_head: that of K and V
  int first_row;
  int steps;  // key tiles visited, from the last to the first

  __device__ __forceinline__ Work(const Arguments& p, int tile) {
    int query_tile = 0;
    if constexpr (Traits::causal) {
      const int section = tile / (p.section_heads * p.query_tiles);
      const int first_head = section * p.section_heads;
      const int heads = min(p.section_heads, p.total_heads - first_head);
      const int rest = tile - first_head * p.query_tiles;
      query_tile = p.query_tiles - 1 - rest / heads;
      query_head = first_head + rest % heads;
    } else {
      query_head = tile / p.query_tiles;
      const int blocks = static_cast<int>(gridDim.x);
      const int round = query_head * p.query_tiles / blocks;
      query_tile = (tile - round * (blocks - 1)) % p.query_tiles;
    }
    kv_head = query_head / p.heads * p.kv_heads + query_head % p.heads / (p.heads / p.kv_heads);
    first_row = query_tile * Traits::block_m;
    steps = steps_of(p, first_row, Traits::block_m);
  }

  // Key tiles that some of these rows see. Without a mask and with rows to work on: all of them.
  static __device__ __forceinline__ int steps_of(const Arguments& p, int row, int rows) {
    const int last_row = min(row + rows, p.seqlen_q) - 1;
    return last_row < row ? 0 : (visible_keys(p, last_row) + Traits::block_n - 1) / Traits::block_n;
  }

  // Bottom-right alignment: row i sees keys below i + 1 + seqlen_k - seqlen_q.
  static __device__ __forceinline__ int visible_keys(const Arguments& p, int row) {
    return Traits::causal ? min(p.seqlen_k, max(0, p.seqlen_k - p.seqlen_q + row + 1)) : p.seqlen_k;
  }
};

// The first tile of a thread block is its index; later ones come from the counter or by stride.
// Each thread block draws from the counter once more than it gets tiles, so `tiles` draws are made
// in all (blocks <= tiles), and atomicInc wraps to 0 with the last: the kernel leaves the counter
// as it found it and may be replayed alone.
__device__ __forceinline__ int next_tile(const Arguments& p, int tile) {
  if (p.next_tile == nullptr) {
    return tile + static_cast<int>(gridDim.x);
  }
  return static_cast<int>(gridDim.x + atomicInc(p.next_tile, static_cast<unsigned>(p.tiles) - 1));
}

}  // namespace ridgepoint::kernels::hopper
