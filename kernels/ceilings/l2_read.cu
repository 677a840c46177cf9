#include <algorithm>

#include "kernels/ceilings/block_clock.cuh"
#include "kernels/ceilings/probes.h"

namespace ridgepoint::kernels::ceilings {
namespace {

constexpr int threads = 1024;
constexpr int blocks_per_sm = 2;
constexpr std::size_t piece_words = threads;  // 16 KiB: one load of every thread
// Of L2, so that nothing is driven out: on an H200 the rate is the same from 1/8 to 3/4 of L2 and
// falls to that of HBM beyond.
constexpr double l2_share = 0.4;

// Every block reads a slice of its own over and over. When SMs read the same addresses, something
// before L2 answers for it: 16.8 TB/s then reached the SMs of an H200 (its coalescer of requests),
// while L2 itself delivered no more than with slices. ld.global.cg does not look into L1.
__global__ void __launch_bounds__(threads, blocks_per_sm)
    l2_read_kernel(const uint4* buffer, int pieces, int iterations, BlockClock* clocks) {
  const BlockTimer timer = BlockTimer::start();
  std::uint32_t mixed = 0;
  const uint4* const slice = buffer + blockIdx.x * (pieces * piece_words) + threadIdx.x;
  for (int i = 0; i < iterations; ++i) {
#pragma unroll 1  // more loads of a thread in flight were slower and less steady
    for (int p = 0; p < pieces; ++p) {
      uint4 word;
      asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];\n"
                   : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
                   : "l"(slice + p * piece_words));
      mixed ^= mix(word);
    }
  }
  keep(mixed, clocks);
  timer.stop(clocks);
}

ProbeShape shape(const ProbeDevice& device) {
  ProbeShape shape;
  shape.blocks = device.sm_count * blocks_per_sm;
  shape.threads = threads;
  const std::size_t round = piece_words * sizeof(uint4) * static_cast<std::size_t>(shape.blocks);
  const auto wanted = static_cast<std::size_t>(l2_share * static_cast<double>(device.l2_bytes));
  shape.buffer_bytes = std::min(wanted, device.free_bytes / 2) / round * round;
  shape.work_per_iteration = static_cast<double>(shape.buffer_bytes);
  return shape;
}

cudaError_t launch(const ProbeShape& shape, const ProbeRun& run) {
  const std::size_t slice_bytes = shape.buffer_bytes / static_cast<std::size_t>(shape.blocks);
  l2_read_kernel<<<shape.blocks, shape.threads, 0, run.stream>>>(
      static_cast<const uint4*>(run.buffer),
      static_cast<int>(slice_bytes / (piece_words * sizeof(uint4))), run.iterations, run.clocks);
  return cudaGetLastError();
}

}  // namespace

const Probe& l2_read() {
  static const Probe probe = portable_probe(
      "l2", "read", "every block reads a slice of its own past L1; together less than half of L2",
      shape, launch);
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
