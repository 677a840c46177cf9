#include "kernels/ceilings/block_clock.cuh"
#include "kernels/ceilings/probes.h"

namespace ridgepoint::kernels::ceilings {
namespace {

constexpr int threads = 512;
constexpr int blocks_per_sm = 4;
constexpr int loads = 4;
constexpr int rounds = 8;
constexpr unsigned tile_bytes = threads * loads * sizeof(uint4);  // 32 KiB

__device__ __forceinline__ uint4 load(std::uint32_t address) {
  uint4 word;
  asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
               : "r"(address));
  return word;
}

// A warp's load takes 512 contiguous bytes: 4 wavefronts of 128 bytes, no bank conflict.
__global__ void __launch_bounds__(threads) smem_read_kernel(int iterations, BlockClock* clocks) {
  const BlockTimer timer = BlockTimer::start();
  __shared__ uint4 tile[threads * loads];
  for (int u = 0; u < loads; ++u) {
    const std::uint32_t bits = scattered(u * threads + threadIdx.x);
    tile[u * threads + threadIdx.x] = make_uint4(bits, ~bits, bits * 3, bits * 5);
  }
  __syncthreads();
  std::uint32_t address =
      static_cast<std::uint32_t>(__cvta_generic_to_shared(tile)) + threadIdx.x * sizeof(uint4);
  uint4 mixed = make_uint4(0, 0, 0, 0);
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
      for (int u = 0; u < loads; ++u) {
        const uint4 word = load(address + u * threads * sizeof(uint4));
        mixed.x ^= word.x;
        mixed.y ^= word.y;
        mixed.z ^= word.z;
        mixed.w ^= word.w;
      }
    }
    address ^= sizeof(uint4);  // the neighbour's word: still the same 512 bytes a warp
  }
  keep(mix(mixed), clocks);
  timer.stop(clocks);
}

ProbeShape shape(const ProbeDevice& device) {
  ProbeShape shape;
  shape.blocks = device.sm_count * blocks_per_sm;
  shape.threads = threads;
  shape.work_per_iteration = static_cast<double>(shape.blocks) * tile_bytes * rounds;
  return shape;
}

cudaError_t launch(const ProbeShape& shape, const ProbeRun& run) {
  smem_read_kernel<<<shape.blocks, shape.threads, 0, run.stream>>>(run.iterations, run.clocks);
  return cudaGetLastError();
}

}  // namespace

const Probe& smem_read() {
  static const Probe probe = portable_probe(
      "smem", "read", "16-byte loads from shared memory without bank conflicts", shape, launch);
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
