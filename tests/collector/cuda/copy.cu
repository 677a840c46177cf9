#include "tests/collector/cuda/copy.h"

namespace ridgepoint::test {
namespace {

__global__ void copy_kernel(const uint4* __restrict__ from, uint4* __restrict__ to,
                            std::size_t count) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    to[i] = from[i];
  }
}

}  // namespace

cudaError_t launch_copy(const void* from, void* to, std::size_t bytes, cudaStream_t stream) {
  copy_kernel<<<2048, 512, 0, stream>>>(static_cast<const uint4*>(from), static_cast<uint4*>(to),
                                        bytes / sizeof(uint4));
  return cudaGetLastError();
}

}  // namespace ridgepoint::test
