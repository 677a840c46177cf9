// Chooses the softmax kernel for a row length.
#pragma once

#include "kernels/attention/naive/softmax.cuh"

namespace ridgepoint::kernels::naive {

template <typename T>
cudaError_t launch_softmax(const Arguments& arguments, cudaStream_t stream) {
  const KernelShape shape = softmax_shape(arguments.seqlen_k);
  const std::int64_t rows = arguments.query_heads * arguments.seqlen_q;
  const void* kernel = reinterpret_cast<const void*>(&naive_softmax_streaming<T, 1024>);
  if (arguments.seqlen_k <= resident_keys) {
    switch (softmax_row_threads(arguments.seqlen_k)) {
      case 32:
        kernel = reinterpret_cast<const void*>(&naive_softmax<T, 32>);
        break;
      case 256:
        kernel = reinterpret_cast<const void*>(&naive_softmax<T, 256>);
        break;
      case 512:
        kernel = reinterpret_cast<const void*>(&naive_softmax<T, 512>);
        break;
      default:
        kernel = reinterpret_cast<const void*>(&naive_softmax<T, 1024>);
    }
  }
  const std::int64_t blocks = (rows + shape.block_m - 1) / shape.block_m;
  Arguments copy = arguments;
  void* parameters[] = {&copy};
  return cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(blocks)),
                          dim3(static_cast<unsigned>(shape.threads)), parameters, 0, stream);
}

}  // namespace ridgepoint::kernels::naive
