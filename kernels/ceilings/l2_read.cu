#include "kernels/ceilings/block_clock.cuh"
#include "kernels/ceilings/probes.h"

namespace ridgepoint::kernels::ceilings {
namespace {

constexpr int threads = 1024;
constexpr int loads = 2;
constexpr int halves = 2;
constexpr std::size_t half_words = std::size_t{threads} * loads;  // 32 KiB
constexpr std::size_t slice_words = halves * half_words;

// Every block reads a slice of its own, its two halves in turn. Not the same data in all SMs: that
// gave 67 bytes a clock and SM on an H200, more than L2 can serve, so something between SMs and L2
// answered for it. ld.global.cg does not look into L1.
__global__ void __launch_bounds__(threads)
    l2_read_kernel(const uint4* buffer, int iterations, BlockClock* clocks) {
  const BlockTimer timer = BlockTimer::start();
  std::uint32_t mixed = 0;
  const uint4* const slice = buffer + blockIdx.x * slice_words + threadIdx.x;
#pragma unroll 4
  for (int i = 0; i < iterations; ++i) {
    const uint4* from = slice + (i % halves) * half_words;
#pragma unroll
    for (int u = 0; u < loads; ++u) {
      uint4 word;
      asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];\n"
                   : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
                   : "l"(from + u * threads));
      mixed ^= mix(word);
    }
  }
  keep(mixed, clocks);
  timer.stop(clocks);
}

ProbeShape shape(const ProbeDevice& device) {
  ProbeShape shape;
  shape.blocks = device.sm_count;
  shape.threads = threads;
  shape.buffer_bytes = slice_words * sizeof(uint4) * static_cast<std::size_t>(shape.blocks);
  shape.work_per_iteration = static_cast<double>(shape.buffer_bytes) / halves;
  return shape;
}

cudaError_t launch(const ProbeShape& shape, const ProbeRun& run) {
  l2_read_kernel<<<shape.blocks, shape.threads, 0, run.stream>>>(
      static_cast<const uint4*>(run.buffer), run.iterations, run.clocks);
  return cudaGetLastError();
}

}  // namespace

const Probe& l2_read() {
  static const Probe probe = {"l2",
                              "read",
                              "every SM reads 64 KiB of its own, which L2 holds, past L1",
                              80,
                              every_later_capability,
                              shape,
                              launch};
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
