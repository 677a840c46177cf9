// O = sum of w_i O_i with w_i = sum_i exp(scale * (max_i - max)) / sum of these over the parts. A
// warp combines a row; parts that saw no key weigh nothing, and a row that none of them saw has O =
// 0.
#pragma once

#include "kernels/attention/device/dependent_grid.cuh"
#include "kernels/attention/device/element.cuh"
#include "kernels/attention/device/exponential.cuh"
#include "kernels/attention/split_kv/log_sum.cuh"

namespace ridgepoint::kernels {

template <typename T, int HeadDim>
__global__ void __launch_bounds__(split_kv::combine_threads)
    split_kv_combine(const split_kv::Arguments p) {
  constexpr int own = HeadDim / 32;  // elements of a lane, next to each other
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t row =
      static_cast<std::int64_t>(blockIdx.x) * split_kv::combine_rows + threadIdx.x / 32;
  device::wait_for_prerequisites();
  if (row >= p.rows) {
    return;
  }
  const split_kv::PartialSum* const partials = p.partials + row;
  float max = -INFINITY;
  for (int part = lane; part < p.parts; part += 32) {
    max = fmaxf(max, partials[part * p.rows].max);
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    max = fmaxf(max, __shfl_xor_sync(0xFFFFFFFFU, max, step));
  }
  const float base = max == -INFINITY ? 0.0F : max;
  float sum = 0.0F;
  float output[own] = {};
#pragma unroll 4
  for (int part = 0; part < p.parts; ++part) {
    const split_kv::PartialSum one = partials[part * p.rows];
    const float weight = one.sum * device::fast_exp2((one.max - base) * (p.scale * device::log2_e));
    const float2* const source =
        reinterpret_cast<const float2*>(p.partial_o + (part * p.rows + row) * HeadDim + lane * own);
    sum += weight;
#pragma unroll
    for (int i = 0; i < own / 2; ++i) {
      const float2 pair = source[i];
      output[2 * i] = fmaf(weight, pair.x, output[2 * i]);
      output[2 * i + 1] = fmaf(weight, pair.y, output[2 * i + 1]);
    }
  }
  const float inverse = sum == 0.0F ? 0.0F : 1.0F / sum;
  auto* const target =
      reinterpret_cast<std::uint32_t*>(static_cast<T*>(p.o) + row * HeadDim) + lane * (own / 2);
#pragma unroll
  for (int i = 0; i < own / 2; ++i) {
    target[i] = device::Element<T>::pack(output[2 * i] * inverse, output[2 * i + 1] * inverse);
  }
  if (p.lse != nullptr && lane == 0) {
    p.lse[row] = split_kv::log_sum(base, sum, p.scale);
  }
}

}  // namespace ridgepoint::kernels
