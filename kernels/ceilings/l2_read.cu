#include "kernels/ceilings/block_clock.cuh"
#include "kernels/ceilings/probes.h"

namespace ridgepoint::kernels::ceilings {
namespace {

constexpr int threads = 1024;
constexpr int loads = 4;
constexpr std::size_t slice_words = std::size_t{threads} * loads;  // 64 KiB

// One slice a block; every block reads all slices in turn, each starting with its own. So every
// address is read by every SM, as tiles that blocks share are, and no slice is read twice in a row,
// which would let L1 or the compiler answer. ld.global.cg does not look into L1 in any case.
__global__ void __launch_bounds__(threads)
    l2_read_kernel(const uint4* buffer, int iterations, BlockClock* clocks) {
  const BlockTimer timer = BlockTimer::start();
  std::uint32_t mixed = 0;
  unsigned slice = blockIdx.x;
#pragma unroll 2
  for (int i = 0; i < iterations; ++i) {
    const uint4* from = buffer + slice * slice_words + threadIdx.x;
#pragma unroll
    for (int u = 0; u < loads; ++u) {
      mixed ^= mix(__ldcg(from + u * threads));
    }
    slice = slice + 1 == gridDim.x ? 0 : slice + 1;
  }
  keep(mixed, clocks);
  timer.stop(clocks);
}

// 64 KiB an SM: 8.4 MB on an H200, where an L2 of two halves may hold a copy in each.
ProbeShape shape(const ProbeDevice& device) {
  ProbeShape shape;
  shape.blocks = device.sm_count;
  shape.threads = threads;
  shape.buffer_bytes = slice_words * sizeof(uint4) * static_cast<std::size_t>(shape.blocks);
  shape.work_per_iteration = static_cast<double>(shape.buffer_bytes);
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
                              "every SM reads the same 64 KiB an SM, which L2 holds; the bytes "
                              "that SMs received count",
                              80,
                              every_later_capability,
                              shape,
                              launch};
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
