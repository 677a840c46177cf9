#include "kernels/ceilings/block_clock.cuh"
#include "kernels/ceilings/probes.h"
#include "kernels/ceilings/streaming.cuh"

namespace ridgepoint::kernels::ceilings {
namespace {

__global__ void __launch_bounds__(streaming_threads)
    hbm_copy_kernel(const uint4* __restrict__ from, uint4* __restrict__ to, std::size_t words,
                    int iterations, BlockClock* clocks) {
  const BlockTimer timer = BlockTimer::start();
  for (int i = 0; i < iterations; ++i) {
    for (std::size_t piece = blockIdx.x * streaming_words; piece < words;
         piece += gridDim.x * streaming_words) {
      uint4 word[streaming_loads];
#pragma unroll
      for (int u = 0; u < streaming_loads; ++u) {
        word[u] = __ldcs(from + piece + u * streaming_threads + threadIdx.x);
      }
#pragma unroll
      for (int u = 0; u < streaming_loads; ++u) {
        __stcs(to + piece + u * streaming_threads + threadIdx.x, word[u]);
      }
    }
  }
  timer.stop(clocks);
}

ProbeShape shape(const ProbeDevice& device) {
  return streaming_shape(device, 2);
}

cudaError_t launch(const ProbeShape& shape, const ProbeRun& run) {
  const std::size_t words = shape.buffer_bytes / 2 / sizeof(uint4);
  const auto from = static_cast<uint4*>(run.buffer);
  hbm_copy_kernel<<<shape.blocks, shape.threads, 0, run.stream>>>(from, from + words, words,
                                                                  run.iterations, run.clocks);
  return cudaGetLastError();
}

}  // namespace

const Probe& hbm_copy() {
  static const Probe probe =
      portable_probe("hbm", "copy",
                     "copies one half of a buffer far larger than L2 to the other; bytes "
                     "read and bytes written both count",
                     shape, launch);
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
