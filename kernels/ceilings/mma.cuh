// Tensor cores through mma.sync: every warp multiplies operands that stay in its registers, with
// enough independent accumulators to hide the latency.
#pragma once

#include "kernels/ceilings/block_clock.cuh"
#include "kernels/ceilings/operands.cuh"
#include "kernels/ceilings/probe.h"

namespace ridgepoint::kernels::ceilings {

constexpr int mma_threads = 256;
constexpr int mma_blocks_per_sm = 2;
constexpr int mma_rows = 2;  // A operands, 16 rows each
// B operands, 8 columns each: fewer where they and the accumulators are twice as wide.
template <typename Op>
constexpr int mma_columns = 4 * sizeof(float) / sizeof(typename Op::Accumulator);
constexpr int mma_steps = 8;

__device__ __forceinline__ std::uint32_t accumulator_bits(float x) {
  return __float_as_uint(x);
}
__device__ __forceinline__ std::uint32_t accumulator_bits(double x) {
  return static_cast<std::uint32_t>(__double2hiint(x) ^ __double2loint(x));
}
__device__ __forceinline__ std::uint32_t accumulator_bits(std::int32_t x) {
  return static_cast<std::uint32_t>(x);
}

// Op: Bits, Accumulator, k, multiply(d, a, b0, b1).
template <typename Op>
__global__ void __launch_bounds__(mma_threads, mma_blocks_per_sm)
    mma_kernel(int iterations, BlockClock* clocks) {
  const BlockTimer timer = BlockTimer::start();
  const std::uint32_t seed = (blockIdx.x * mma_threads + threadIdx.x) * 16;
  using Register = decltype(Op::Bits::of(seed));
  Register a[mma_rows][4];
  constexpr int columns = mma_columns<Op>;
  Register b[columns][2];
#pragma unroll
  for (int i = 0; i < mma_rows * 4; ++i) {
    a[i / 4][i % 4] = Op::Bits::of(scattered(seed + i));
  }
#pragma unroll
  for (int i = 0; i < columns * 2; ++i) {
    b[i / 2][i % 2] = Op::Bits::of(scattered(seed + mma_rows * 4 + i));
  }
  typename Op::Accumulator d[mma_rows][columns][4] = {};
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int s = 0; s < mma_steps; ++s) {
#pragma unroll
      for (int r = 0; r < mma_rows; ++r) {
#pragma unroll
        for (int c = 0; c < columns; ++c) {
          Op::multiply(d[r][c], a[r], b[c][0], b[c][1]);
        }
      }
    }
  }
  std::uint32_t mixed = 0;
#pragma unroll
  for (int i = 0; i < mma_rows * columns * 4; ++i) {
    mixed ^= accumulator_bits(d[i / (columns * 4)][i / 4 % columns][i % 4]);
  }
  keep(mixed, clocks);
  timer.stop(clocks);
}

template <typename Op>
ProbeShape mma_shape(const ProbeDevice& device) {
  ProbeShape shape;
  shape.blocks = device.sm_count * mma_blocks_per_sm;
  shape.threads = mma_threads;
  const double warps = static_cast<double>(shape.blocks) * mma_threads / 32;
  shape.work_per_iteration =
      warps * mma_steps * mma_rows * mma_columns<Op> * 2.0 * 16 * 8 * Op::k;  // 2 M N K
  return shape;
}

template <typename Op>
cudaError_t launch_mma(const ProbeShape& shape, const ProbeRun& run) {
  mma_kernel<Op><<<shape.blocks, shape.threads, 0, run.stream>>>(run.iterations, run.clocks);
  return cudaGetLastError();
}

template <typename Op>
Probe mma_probe(const char* ceiling, const char* description) {
  return portable_probe(ceiling, "mma_sync", description, mma_shape<Op>, launch_mma<Op>);
}

}  // namespace ridgepoint::kernels::ceilings
