// What the three kernels of a Hopper backward pass are given, and how they are launched. Host-side,
// free of device headers.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

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

  // What the row kernel reads, and the rest of what it writes for the main kernel.
  const void* o_rows;
  const void* do_rows;
  const float* lse;
  void* dq_rows;  // what the conversion kernel writes

  // Both [batch*heads][query_tiles * block_m]; rows past seqlen_q are there and inert.
  float* negative_lse;  // -LSE * log2(e); -inf for a row that sees no key or does not exist
  float* delta;         // D = rowsum(dO * O), 0 for rows that do not exist
  // dQ / scale in FP32, [batch*heads][query_tiles] tiles in the order of dq_tile.cuh; zeroed by the
  // row kernel, added to by the main kernel.
  float* dq_sum;
  // Null, or [batch*heads][query_tiles][2] counters of the additions made to each half tile, zeroed
  // by the row kernel: then key blocks add in ascending order.
  std::uint32_t* turns;

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

struct KernelShape {
  std::int32_t block_m;
  std::int32_t block_n;
  std::int32_t stages;
  std::int32_t threads;
  std::size_t smem_bytes;
};

// The kernels for one (element type, head dimension), in launch order.
struct Instance {
  KernelShape rows;
  KernelShape main;
  KernelShape conversion;
  cudaError_t (*launch_rows)(const Arguments&, cudaStream_t);
  cudaError_t (*launch_main)(const Arguments&, cudaStream_t);
  cudaError_t (*launch_conversion)(const Arguments&, cudaStream_t);
};

Instance fp16_d64();
Instance fp16_d128();
Instance bf16_d64();
Instance bf16_d128();

}  // namespace ridgepoint::kernels::hopper_backward
