// Chooses the softmax kernel for a row length.
#pragma once

#include "kernels/attention/naive/softmax.cuh"
#include "kernels/runtime/launch.h"

namespace ridgepoint::kernels::naive {

template <typename T>
cudaError_t launch_softmax(const Arguments& arguments, cudaStream_t stream) {
  const KernelShape shape = softmax_shape(arguments.seqlen_k);
  const std::int64_t rows = arguments.query_heads * arguments.seqlen_q;
  const bool resident = arguments.seqlen_k <= resident_keys;
  const void* kernel = reinterpret_cast<const void*>(&naive_softmax_streaming<T, 1024>);
  if (resident) {
    switch (softmax_row_threads(arguments.seqlen_k)) {
      case 32:
        kernel = reinterpret_cast<const void*>(&naive_softmax<T, 32>);
        break;
      case 256:
        kernel = reinterpret_cast<const void*>(&naive_softmax<T, 256>);
        break;
      default:
        kernel = reinterpret_cast<const void*>(&naive_softmax<T, 1024>);
    }
  }
  const std::int64_t rows_per_block = resident ? shape.block_m * softmax_groups : 1;
  return launch_kernel(kernel, (rows + rows_per_block - 1) / rows_per_block, shape.threads,
                       shape.smem_bytes, arguments, stream);
}

}  // namespace ridgepoint::kernels::naive
