#include "kernels/ceilings/block_clock.cuh"
#include "kernels/ceilings/probes.h"
#include "kernels/ceilings/streaming.cuh"

namespace ridgepoint::kernels::ceilings {
namespace {

__global__ void __launch_bounds__(streaming_threads)
    hbm_read_kernel(const uint4* __restrict__ buffer, std::size_t words, int iterations,
                    BlockClock* clocks) {
  const BlockTimer timer = BlockTimer::start();
  std::uint32_t mixed = 0;
  for (int i = 0; i < iterations; ++i) {
    for (std::size_t piece = blockIdx.x * streaming_words; piece < words;
         piece += gridDim.x * streaming_words) {
      uint4 word[streaming_loads];
#pragma unroll
      for (int u = 0; u < streaming_loads; ++u) {
        word[u] = __ldcs(buffer + piece + u * streaming_threads + threadIdx.x);
      }
#pragma unroll
      for (int u = 0; u < streaming_loads; ++u) {
        mixed ^= mix(word[u]);
      }
    }
  }
  keep(mixed, clocks);
  timer.stop(clocks);
}

ProbeShape shape(const ProbeDevice& device) {
  return streaming_shape(device, 1);
}

cudaError_t launch(const ProbeShape& shape, const ProbeRun& run) {
  hbm_read_kernel<<<shape.blocks, shape.threads, 0, run.stream>>>(
      static_cast<const uint4*>(run.buffer), shape.buffer_bytes / sizeof(uint4), run.iterations,
      run.clocks);
  return cudaGetLastError();
}

}  // namespace

const Probe& hbm_read() {
  static const Probe probe = portable_probe(
      "hbm", "read", "reads a buffer far larger than L2, 16 bytes a thread", shape, launch);
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
