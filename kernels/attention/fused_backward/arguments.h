// What the three kernels of the portable backward pass are given, and how they are launched.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/attention/recompute/instance.h"
#include "kernels/attention/recompute/row_terms.h"

namespace ridgepoint::kernels::fused_backward {

constexpr std::int32_t block_m = 64;  // queries of a step
constexpr std::int32_t threads = 256;

struct Arguments {
  const void* q;
  const void* k;
  const void* v;
  void* dq;
  void* dk;
  void* dv;
  recompute::RowTerms rows;  // its dQ sums are in the order of dq_tile.cuh
  std::int32_t heads;
  std::int32_t kv_heads;
  std::int32_t seqlen_q;
  std::int32_t seqlen_k;
  std::int32_t key_blocks;   // ceil(seqlen_k / block_n)
  std::int32_t total_heads;  // batch * heads
  std::int32_t total_kv_heads;
  float scale;
  bool causal;
};

using Instance = recompute::Instance<Arguments>;

// The `wide` instances of head_dim 128 take 128 keys and 144 KB of shared memory, which GPUs of
// compute capability 8.0, 8.7, 9.0 and 10.0 have; the others take 64 keys and 96 KB.
Instance fp16_d64();
Instance fp16_d128();
Instance fp16_d128_wide();
Instance bf16_d64();
Instance bf16_d128();
Instance bf16_d128_wide();

}  // namespace ridgepoint::kernels::fused_backward
