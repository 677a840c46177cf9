// What the two split-KV kernels are given, and how they are launched. Host-side, free of device
// headers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/attention/forward_arguments.h"
#include "kernels/attention/tile_shape.h"

namespace ridgepoint::kernels::split_kv {

// Of a row's keys in one part. Kept apart, and not as one log-sum-exp: where the logits are large
// that has no bits left for the difference between parts.
struct alignas(8) PartialSum {
  float max;  // of the raw scores, -inf where no key was visible
  float sum;  // of exp(scale * (score - max)), 0 there
};

struct Arguments : ForwardArguments {
  float* partial_o;        // [part][batch * heads * seqlen_q][head_dim]; unused with one part
  PartialSum* partials;    // [part][batch * heads * seqlen_q]
  std::int64_t rows;       // batch * heads * seqlen_q
  std::int32_t group;      // query heads that share a key head
  std::int32_t row_tiles;  // tiles of packed rows of one key head
  std::int32_t parts;
};

// One compiled pair of kernels; the tile's rows are packed query rows. `attend` starts one thread
// block for each key head, part and tile of rows; `combine` one warp for each query row.
struct Instance {
  TileShape tile;
  cudaError_t (*attend)(const Arguments&, std::int64_t blocks, cudaStream_t);
  cudaError_t (*combine)(const Arguments&, cudaStream_t);
};

constexpr std::int32_t combine_threads = 256;
constexpr std::int32_t combine_rows = combine_threads / 32;

// One function for each element type and head dimension, each defined in a translation unit of its
// own: the kernel for a few packed rows, and the one for more.
struct Instances {
  Instance few_rows;
  Instance many_rows;
};
Instances fp16_d64();
Instances fp16_d128();
Instances bf16_d64();
Instances bf16_d128();

}  // namespace ridgepoint::kernels::split_kv
