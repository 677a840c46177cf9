// What a Hopper kernel is given, and how one is launched. Host-side, free of device headers.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/attention/tile_shape.h"

namespace ridgepoint::kernels::hopper {

// Passed by value as a __grid_constant__ parameter: the copy engine reads the maps from the
// constant bank.
struct Arguments {
  CUtensorMap q;  // {head_dim, seqlen_q, batch*heads}; box {64, block_m}
  CUtensorMap k;  // {head_dim, seqlen_k, batch*kv_heads}; box {64, block_n}
  CUtensorMap v;  // as k
  CUtensorMap o;  // as q; box {64, 64}, what one warpgroup stores
  float* lse;     // may be null
  // The next query tile to hand out; 0 at launch and again when all thread blocks are done. Null:
  // tiles are dealt out in turn.
  std::uint32_t* next_tile;
  std::int32_t heads;
  std::int32_t kv_heads;
  std::int32_t seqlen_q;
  std::int32_t seqlen_k;
  std::int32_t query_tiles;    // ceil(seqlen_q / block_m)
  std::int32_t total_heads;    // batch * heads
  std::int32_t section_heads;  // heads worked on together, so that their K and V stay in L2
  std::int32_t tiles;          // query_tiles * total_heads
  float scale;
};

// One compiled kernel. `launch` starts `blocks` persistent thread blocks.
struct Instance {
  TileShape tile;
  cudaError_t (*launch)(const Arguments&, int blocks, cudaStream_t);
};

// One function per (element type, head dimension, mask), each defined in a translation unit of its
// own.
Instance fp16_d64();
Instance fp16_d64_wide();
Instance fp16_d64_causal();
Instance fp16_d128();
Instance fp16_d128_causal();
Instance fp16_d256();
Instance fp16_d256_causal();
Instance bf16_d64();
Instance bf16_d64_wide();
Instance bf16_d64_causal();
Instance bf16_d128();
Instance bf16_d128_causal();
Instance bf16_d256();
Instance bf16_d256_causal();

}  // namespace ridgepoint::kernels::hopper
