// What a fused kernel is given, and how one is launched. Host-side, free of device headers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ridgepoint::kernels::fused {

struct Arguments {
  const void* q;
  const void* k;
  const void* v;
  void* o;
  float* lse;  // may be null
  std::int32_t heads;
  std::int32_t kv_heads;
  std::int32_t seqlen_q;
  std::int32_t seqlen_k;
  std::int32_t query_tiles;  // ceil(seqlen_q / block_m)
  float scale;
  bool causal;
};

struct TileShape {
  std::int32_t block_m;
  std::int32_t block_n;
  std::int32_t stages;
  std::int32_t threads;
  std::size_t smem_bytes;
};

// One compiled kernel. `launch` starts `blocks` thread blocks.
struct Instance {
  TileShape tile;
  cudaError_t (*launch)(const Arguments&, std::int64_t blocks, cudaStream_t);
};

// One function per (element type, head dimension), each defined in a translation unit of its own.
Instance fp16_d64();
Instance fp16_d128();
Instance fp16_d256();
Instance bf16_d64();
Instance bf16_d128();
Instance bf16_d256();

}  // namespace ridgepoint::kernels::fused
