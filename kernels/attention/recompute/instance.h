// The three kernels of a backward pass with recomputation, whatever the main one is made of: rows
// (row_terms.h), gradients, conversion of the sums of dQ.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "kernels/attention/support.h"

namespace ridgepoint::kernels::recompute {

// For one (element type, head dimension, tile), in launch order.
template <class Arguments>
struct Instance {
  TileShape rows;
  TileShape main;
  TileShape conversion;
  cudaError_t (*launch_rows)(const Arguments&, cudaStream_t);
  cudaError_t (*launch_main)(const Arguments&, cudaStream_t);
  cudaError_t (*launch_conversion)(const Arguments&, cudaStream_t);
};

template <class Arguments>
std::int64_t key_blocks(const Instance<Arguments>& instance, const AttentionProblem& p) {
  return (std::int64_t{p.seqlen_k} + instance.main.block_n - 1) / instance.main.block_n;
}

// Of the kernels that `launch` starts.
template <class Arguments>
std::vector<KernelTile> tiles(const Instance<Arguments>& instance, const AttentionProblem& p) {
  std::vector<KernelTile> all;
  if (p.seqlen_q > 0) {
    all.push_back(tile_of("rows", instance.rows, 0));
  }
  if (p.seqlen_k > 0) {
    all.push_back(tile_of("gradients", instance.main, p.head_dim));
  }
  if (p.seqlen_q > 0) {
    all.push_back(tile_of("conversion", instance.conversion, 0));
  }
  return all;
}

// Without queries the main kernel writes zeros; without keys dQ is zero.
template <class Arguments>
cudaError_t launch(const Instance<Arguments>& instance, const AttentionProblem& p,
                   const Arguments& arguments, cudaStream_t stream) {
  cudaError_t status = cudaSuccess;
  if (p.seqlen_q > 0) {
    status = instance.launch_rows(arguments, stream);
  }
  if (status == cudaSuccess && p.seqlen_k > 0) {
    status = instance.launch_main(arguments, stream);
  }
  if (status == cudaSuccess && p.seqlen_q > 0) {
    status = instance.launch_conversion(arguments, stream);
  }
  return status;
}

}  // namespace ridgepoint::kernels::recompute
