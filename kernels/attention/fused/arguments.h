// What a fused kernel is given, and how one is launched. Host-side, free of device headers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/attention/forward_arguments.h"
#include "kernels/attention/tile_shape.h"

namespace ridgepoint::kernels::fused {

struct Arguments : ForwardArguments {
  std::int32_t query_tiles;  // ceil(seqlen_q / block_m)
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
