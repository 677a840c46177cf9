// Starts one kernel that takes one struct of arguments by value. The error of the launch itself is
// returned, none is left behind.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace ridgepoint::kernels {

template <class Arguments>
cudaError_t launch_kernel(const void* kernel, std::int64_t blocks, int threads,
                          std::size_t smem_bytes, const Arguments& arguments, cudaStream_t stream) {
  // Set on every launch that needs it: it is cheap, and the attribute belongs to the current
  // device.
  const cudaError_t status =
      smem_bytes == 0 ? cudaSuccess
                      : cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(smem_bytes));
  if (status != cudaSuccess) {
    return status;
  }
  Arguments copy = arguments;
  void* parameters[] = {&copy};
  return cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(blocks)),
                          dim3(static_cast<unsigned>(threads)), parameters, smem_bytes, stream);
}

}  // namespace ridgepoint::kernels
