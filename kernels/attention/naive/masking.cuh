// How many keys a query row, or a whole tile of rows, may see.
#pragma once

#include "kernels/attention/naive/arguments.h"

namespace ridgepoint::kernels::naive {

// Bottom-right alignment: row i sees keys below i + 1 + seqlen_k - seqlen_q.
__device__ __forceinline__ int visible_keys(const Arguments& p, int row) {
  return p.causal ? min(p.seqlen_k, max(0, row + 1 + p.seqlen_k - p.seqlen_q)) : p.seqlen_k;
}

// Keys that any row of the tile holding `row` sees: what of S and P exists for the whole tile.
__device__ __forceinline__ int tile_keys(const Arguments& p, int row) {
  return visible_keys(p, row / block_m * block_m + block_m - 1);
}

__device__ __forceinline__ std::int64_t kv_head_of(const Arguments& p, std::int64_t query_head) {
  return query_head / p.heads * p.kv_heads + query_head % p.heads / (p.heads / p.kv_heads);
}

}  // namespace ridgepoint::kernels::naive
