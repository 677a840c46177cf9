// Starts one kernel with its arguments; the error of the launch itself is returned, none is left
// behind.
#pragma once

#include "kernels/attention/naive/arguments.h"

namespace ridgepoint::kernels::naive {

inline cudaError_t launch(const void* kernel, std::int64_t blocks, int threads,
                          std::size_t smem_bytes, const Arguments& arguments, cudaStream_t stream) {
  // Set on every launch: it is cheap, and the attribute belongs to the current device.
  const cudaError_t status = cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(smem_bytes));
  if (status != cudaSuccess) {
    return status;
  }
  Arguments copy = arguments;
  void* parameters[] = {&copy};
  return cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(blocks)), dim3(threads), parameters,
                          smem_bytes, stream);
}

}  // namespace ridgepoint::kernels::naive
