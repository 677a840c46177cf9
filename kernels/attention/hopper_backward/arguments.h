// What the three kernels of a Hopper backward pass are given, and how they are launched. Host-side,
// free of device headers.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/attention/recompute/instance.h"
#include "kernels/attention/recompute/row_terms.h"

namespace ridgepoint::kernels::hopper_backward {

// Passed by value as a __grid_constant__ parameter: the copy engine reads the maps from the
// constant bank.
struct Arguments {
  CUtensorMap q;    // {head_dim, seqlen_q, batch*heads}; box {64, block_m}
  CUtensorMap d_o;  // as q
  CUtensorMap k;    // {head_dim, seqlen_k, batch*kv_heads}; box {64, block_n}
  CUtensorMap v;    // as k
  CUtensorMap dk;   // as k; box {64, 64}, what one warpgroup stores
  CUtensorMap dv;   // as dk

  // What the row kernel prepares; its dQ sums are in the order of dq_tile.cuh. With `turns` key
  // blocks add in ascending order.
  recompute::RowTerms rows;
  void* dq;

  std::int32_t heads;
  std::int32_t kv_heads;
  std::int32_t seqlen_q;
  std::int32_t seqlen_k;
  std::int32_t query_tiles;     // ceil(seqlen_q / block_m)
  std::int32_t key_blocks;      // ceil(seqlen_k / block_n)
  std::int32_t total_heads;     // batch * heads
  std::int32_t total_kv_heads;  // batch * kv_heads
  std::int32_t
      section_kv_heads;  // key heads worked on together, so that their Q, dO and dQ stay in L2
  float scale;
  bool causal;
};

using Instance = recompute::Instance<Arguments>;

Instance fp16_d64();
Instance fp16_d128();
Instance bf16_d64();
Instance bf16_d128();

}  // namespace ridgepoint::kernels::hopper_backward
