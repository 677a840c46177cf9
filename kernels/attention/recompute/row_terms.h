// What a backward pass with recomputation keeps of every query row, and the kernel that prepares
// it. Host-side, free of device headers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ridgepoint::kernels::recompute {

// Padded rows: those of every head filled up to whole query tiles.
struct RowTerms {
  const void* o;
  const void* d_o;
  const float* lse;
  // Both [batch*heads][padded rows]; rows past seqlen_q are there and inert.
  float* negative_lse;  // -LSE * log2(e); -inf for a row that sees no key or does not exist
  float* delta;         // D = rowsum(dO * O), 0 for rows that do not exist
  // dQ / scale in FP32, [batch*heads][query_tiles] tiles of block_m * head_dim, zeroed here and
  // added to by the main kernel in an order of its own.
  float* dq_sum;
  // Null, or [batch*heads][query_tiles][2] counters of the additions made to each half tile, zeroed
  // here.
  std::uint32_t* turns;
  std::int32_t seqlen_q;
  std::int32_t query_tiles;  // ceil(seqlen_q / block_m)
};

constexpr std::int32_t row_kernel_threads = 256;
// A thread takes 16 bytes.
template <int HeadDim>
constexpr std::int32_t row_kernel_rows = row_kernel_threads / (HeadDim / 8);

}  // namespace ridgepoint::kernels::recompute
