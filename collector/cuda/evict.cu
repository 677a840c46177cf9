#include "collector/cuda/evict.h"

namespace ridgepoint::collector {
namespace {

__global__ void evict_kernel(const uint4* __restrict__ buffer, std::size_t count, unsigned* sink) {
  unsigned mixed = 0;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const uint4 word = buffer[i];
    mixed ^= word.x ^ word.y ^ word.z ^ word.w;
  }
  // Never true for the zeros the buffer holds: it keeps the loads, and writes nothing.
  if (mixed == 0x9e3779b9U) {
    *sink = mixed;
  }
}

}  // namespace

cudaError_t evict_by_reading(const void* buffer, std::size_t bytes, unsigned* sink,
                             cudaStream_t stream) {
  constexpr unsigned threads = 512;
  constexpr unsigned blocks = 1024;
  evict_kernel<<<blocks, threads, 0, stream>>>(static_cast<const uint4*>(buffer),
                                               bytes / sizeof(uint4), sink);
  return cudaGetLastError();
}

}  // namespace ridgepoint::collector
