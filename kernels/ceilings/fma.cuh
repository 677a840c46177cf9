// FMA on the CUDA cores: independent chains in every thread, more warps than it takes to hide their
// latency.
#pragma once

#include "kernels/ceilings/block_clock.cuh"
#include "kernels/ceilings/probe.h"

namespace ridgepoint::kernels::ceilings {

constexpr int fma_threads = 512;
constexpr int fma_blocks_per_sm = 2;
constexpr int fma_chains = 8;
constexpr int fma_steps = 32;  // unrolled, so that the loop's own instructions are below 1 %

// Op: Value, flop_per_fma, value(float), fma(x, factor, addend), bits(x).
template <typename Op>
__global__ void __launch_bounds__(fma_threads)
    fma_kernel(int iterations, float factor, float addend, BlockClock* clocks) {
  const BlockTimer timer = BlockTimer::start();
  const auto a = Op::value(factor);
  const auto b = Op::value(addend);
  typename Op::Value chain[fma_chains];
#pragma unroll
  for (int c = 0; c < fma_chains; ++c) {
    chain[c] = Op::value(static_cast<float>(threadIdx.x + c) / fma_threads);
  }
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int s = 0; s < fma_steps; ++s) {
#pragma unroll
      for (int c = 0; c < fma_chains; ++c) {
        chain[c] = Op::fma(chain[c], a, b);
      }
    }
  }
  std::uint32_t mixed = 0;
#pragma unroll
  for (int c = 0; c < fma_chains; ++c) {
    mixed ^= Op::bits(chain[c]);
  }
  keep(mixed, clocks);
  timer.stop(clocks);
}

template <typename Op>
ProbeShape fma_shape(const ProbeDevice& device) {
  ProbeShape shape;
  shape.blocks = device.sm_count * fma_blocks_per_sm;
  shape.threads = fma_threads;
  shape.work_per_iteration =
      static_cast<double>(shape.blocks) * shape.threads * fma_chains * fma_steps * Op::flop_per_fma;
  return shape;
}

// x -> 1.5 - x: stays in range for ever and changes every bit that differs between the two.
template <typename Op>
cudaError_t launch_fma(const ProbeShape& shape, const ProbeRun& run) {
  fma_kernel<Op>
      <<<shape.blocks, shape.threads, 0, run.stream>>>(run.iterations, -1.0F, 1.5F, run.clocks);
  return cudaGetLastError();
}

template <typename Op>
Probe fma_probe(const char* ceiling, const char* description) {
  return portable_probe(ceiling, "fma", description, fma_shape<Op>, launch_fma<Op>);
}

}  // namespace ridgepoint::kernels::ceilings
