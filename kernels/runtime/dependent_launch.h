// Launches a kernel that waits by itself for the one in front of it in the stream
// (kernels/attention/device/dependent_grid.cuh), so that the two launches overlap.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ridgepoint::kernels {

template <class Arguments>
cudaError_t launch_dependent_kernel(const void* kernel, std::int64_t blocks, int threads,
                                    const Arguments& arguments, cudaStream_t stream) {
  // Code for an older architecture does not wait: then the stream's own order must do.
  cudaFuncAttributes built{};
  const cudaError_t status = cudaFuncGetAttributes(&built, kernel);
  if (status != cudaSuccess) {
    return status;
  }
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3(static_cast<unsigned>(blocks));
  launch.blockDim = dim3(static_cast<unsigned>(threads));
  launch.stream = stream;
  launch.attrs = &overlap;
  launch.numAttrs = built.ptxVersion >= 90 ? 1 : 0;
  Arguments copy = arguments;
  void* parameters[] = {&copy};
  return cudaLaunchKernelExC(&launch, kernel, parameters);
}

}  // namespace ridgepoint::kernels
