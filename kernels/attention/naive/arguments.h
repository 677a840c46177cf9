// What the three naive kernels are given, and the shape of the S and P matrices between them.
//
// S and P are [batch * heads][seqlen_q][row_stride(seqlen_k)] in the element type of the problem,
// one after the other in the workspace. They are separate so that each kernel alone is idempotent
// and can be replayed for counters. With a causal mask only the tiles that hold a visible key are
// computed, written and read; P is 0 above the diagonal inside them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/attention/forward_arguments.h"
#include "kernels/attention/tile_shape.h"

namespace ridgepoint::kernels::naive {

struct Arguments : ForwardArguments {
  void* scores;
  void* probabilities;
  std::int32_t query_tiles;  // ceil(seqlen_q / block_m)
  std::int64_t query_heads;  // batch * heads
  std::int64_t row_stride;   // elements from one row of S or P to the next
};

// Query rows of one thread block in the products; the softmax fills P up to the same tile boundary.
constexpr std::int32_t block_m = 128;

// Rows start at 16-byte boundaries whatever seqlen_k is.
constexpr std::int64_t row_stride(std::int32_t seqlen_k) {
  return (std::int64_t{seqlen_k} + 7) / 8 * 8;
}

struct KernelShape : TileShape {
  std::int32_t block_k;  // depth of one step of the product
};

// The kernels for one (element type, head dimension). The softmax between them is launched by the
// functions below.
struct Instance {
  KernelShape scores;
  KernelShape output;
  cudaError_t (*launch_scores)(const Arguments&, cudaStream_t);
  cudaError_t (*launch_output)(const Arguments&, cudaStream_t);
};

Instance fp16_d64();
Instance fp16_d128();
Instance bf16_d64();
Instance bf16_d128();

// The softmax does not depend on the head dimension. A row is shared by a warp, by 256 threads or
// by 1024, the fewest whose slots in shared memory hold it; rows beyond `resident_keys` are read
// twice.
constexpr std::int32_t softmax_vectors(std::int32_t row_threads) {
  return row_threads == 1024 ? 6 : 8;  // slots of 8 keys that a thread has for a row
}
// The current row and the next, where shared memory has room for both.
constexpr std::int32_t softmax_stages(std::int32_t row_threads) {
  return row_threads == 1024 ? 1 : 2;
}
constexpr std::int32_t keys_held(std::int32_t row_threads) {
  return row_threads * softmax_vectors(row_threads) * 8;
}
constexpr std::int32_t resident_keys = keys_held(1024);

constexpr std::int32_t softmax_row_threads(std::int32_t seqlen_k) {
  return seqlen_k <= keys_held(32) ? 32 : seqlen_k <= keys_held(256) ? 256 : 1024;
}
// block_m is the rows in flight in a thread block, block_n the keys of a row it holds at a time.
constexpr KernelShape softmax_shape(std::int32_t seqlen_k) {
  const std::int32_t row_threads = softmax_row_threads(seqlen_k);
  const std::int32_t threads = row_threads < 256 ? 256 : row_threads;
  if (seqlen_k > resident_keys) {
    return {{1, threads * 8, 1, threads, 0}, 0};
  }
  const std::int32_t stages = softmax_stages(row_threads);
  return {{threads / row_threads, keys_held(row_threads), stages, threads,
           std::size_t{16} * stages * softmax_vectors(row_threads) * threads},
          0};
}

cudaError_t launch_softmax_fp16(const Arguments& arguments, cudaStream_t stream);
cudaError_t launch_softmax_bf16(const Arguments& arguments, cudaStream_t stream);

}  // namespace ridgepoint::kernels::naive
