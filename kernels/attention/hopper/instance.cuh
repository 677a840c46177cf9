// Turns the kernel template into an Instance; included only by the files that define one.
#pragma once

#include "kernels/attention/hopper/kernel.cuh"

namespace ridgepoint::kernels::hopper {

template <class Traits>
cudaError_t launch_instance(const Arguments& arguments, int blocks, cudaStream_t stream) {
  const void* const kernel = reinterpret_cast<const void*>(&hopper_attention_forward<Traits>);
  // Set on every launch: it is cheap, and the attribute belongs to the current device.
  const cudaError_t status = cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SharedLayout<Traits>::bytes);
  if (status != cudaSuccess) {
    return status;
  }
  Arguments copy = arguments;
  void* parameters[] = {&copy};
  return cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(blocks)), dim3(Traits::threads),
                          parameters, SharedLayout<Traits>::bytes, stream);
}

template <class Traits>
Instance make_instance() {
  return {{Traits::block_m, Traits::block_n, Traits::kv_stages, Traits::threads,
           SharedLayout<Traits>::bytes},
          &launch_instance<Traits>};
}

}  // namespace ridgepoint::kernels::hopper
