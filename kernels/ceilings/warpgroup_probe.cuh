// Tensor cores through wgmma (sm_90a): two warpgroups an SM multiply tiles that stay in shared
// memory; one works while the other waits for its batch.
#pragma once

#include "kernels/ceilings/block_clock.cuh"
#include "kernels/ceilings/operands.cuh"
#include "kernels/ceilings/probe.h"
#include "kernels/ptx/matrix_descriptor.cuh"
#include "kernels/ptx/tma.cuh"
#include "kernels/ptx/warpgroup.cuh"
#include "kernels/ptx/wgmma_k_major.cuh"

namespace ridgepoint::kernels::ceilings {

constexpr int wgmma_groups = 2;
constexpr int wgmma_threads = wgmma_groups * ptx::warpgroup_threads;
constexpr int wgmma_m = 64;
constexpr int wgmma_n = 256;
constexpr int wgmma_step_bytes = 32;  // of k, whatever the element
constexpr int wgmma_steps = ptx::swizzle_row_bytes / wgmma_step_bytes;
constexpr int wgmma_rounds = 4;  // over the tile, a batch
constexpr int wgmma_a_words = wgmma_m * ptx::swizzle_row_bytes / 4;
constexpr int wgmma_b_words = wgmma_n * ptx::swizzle_row_bytes / 4;

// Op: Bits, Element, Accumulator, element_bytes.
template <typename Op>
__global__ void __launch_bounds__(wgmma_threads, 1)
    wgmma_kernel(int iterations, BlockClock* clocks) {
  const BlockTimer timer = BlockTimer::start();
  __shared__ alignas(ptx::swizzle_atom_bytes)
      std::uint32_t tile[wgmma_groups * wgmma_a_words + wgmma_b_words];
  for (int i = threadIdx.x; i < wgmma_groups * wgmma_a_words + wgmma_b_words; i += wgmma_threads) {
    tile[i] = Op::Bits::of(scattered(blockIdx.x * 0x10000U + i));
  }
  ptx::fence_async_proxy();
  __syncthreads();

  const int group = ptx::uniform(threadIdx.x / ptx::warpgroup_threads);
  const std::uint64_t a =
      ptx::k_major_descriptor(ptx::shared_address(tile + group * wgmma_a_words));
  const std::uint64_t b =
      ptx::k_major_descriptor(ptx::shared_address(tile + wgmma_groups * wgmma_a_words));
  typename Op::Accumulator d[wgmma_n / 2] = {};
  for (int i = 0; i < iterations; ++i) {
    ptx::hold(d);
    ptx::wgmma_fence();
#pragma unroll
    for (int s = 0; s < wgmma_rounds * wgmma_steps; ++s) {
      const int offset = s % wgmma_steps * wgmma_step_bytes;
      ptx::Wgmma<typename Op::Element, wgmma_n>::ss(d, ptx::advance(a, offset),
                                                    ptx::advance(b, offset), true);
    }
    ptx::wgmma_commit();
    ptx::hold(d);
    ptx::wgmma_wait<0>();
    ptx::hold(d);
  }
  std::uint32_t mixed = 0;
#pragma unroll
  for (int i = 0; i < wgmma_n / 2; ++i) {
    mixed ^= Op::bits(d[i]);
  }
  keep(mixed, clocks);
  timer.stop(clocks);
}

template <typename Op>
ProbeShape wgmma_shape(const ProbeDevice& device) {
  ProbeShape shape;
  shape.blocks = device.sm_count;
  shape.threads = wgmma_threads;
  constexpr double k = wgmma_step_bytes / Op::element_bytes;
  shape.work_per_iteration = static_cast<double>(shape.blocks) * wgmma_groups * wgmma_rounds *
                             wgmma_steps * 2.0 * wgmma_m * wgmma_n * k;  // 2 M N K
  return shape;
}

template <typename Op>
cudaError_t launch_wgmma(const ProbeShape& shape, const ProbeRun& run) {
  wgmma_kernel<Op><<<shape.blocks, shape.threads, 0, run.stream>>>(run.iterations, run.clocks);
  return cudaGetLastError();
}

struct FloatAccumulator {
  using Accumulator = float;
  static __device__ __forceinline__ std::uint32_t bits(float x) { return __float_as_uint(x); }
};

template <typename Op>
Probe wgmma_probe(const char* ceiling, const char* description) {
  return {ceiling, "wgmma", description, 90, 90, wgmma_shape<Op>, launch_wgmma<Op>};
}

}  // namespace ridgepoint::kernels::ceilings
