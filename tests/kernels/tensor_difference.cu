#include "tests/kernels/tensor_difference.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "kernels/runtime/device_buffer.h"

namespace ridgepoint::kernels {
namespace {

__device__ float value_of(__half x) {
  return __half2float(x);
}
__device__ float value_of(__nv_bfloat16 x) {
  return __bfloat162float(x);
}

__device__ float largest_of_warp(float x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFFU, x, distance));
  }
  return x;
}

// A warp a row. Floats that are not negative order as their bits do.
template <typename T>
__global__ void compare_rows(const T* expected, const T* actual, std::int64_t rows, int columns,
                             float floor, unsigned* largest) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t warps = std::int64_t{gridDim.x} * blockDim.x / 32;
  const std::int64_t first = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  for (std::int64_t row = first; row < rows; row += warps) {
    float size = 0;
    float difference = 0;
    for (int column = lane; column < columns; column += 32) {
      const float a = value_of(expected[row * columns + column]);
      const float b = value_of(actual[row * columns + column]);
      // fmaxf would drop a NaN.
      difference = isfinite(a) && isfinite(b) ? fmaxf(difference, fabsf(a - b)) : INFINITY;
      size = isfinite(a) ? fmaxf(size, fabsf(a)) : size;
    }
    size = largest_of_warp(size);
    difference = largest_of_warp(difference);
    if (lane == 0 && difference > 0) {
      atomicMax(largest, __float_as_uint(difference / (size + floor)));
    }
  }
}

}  // namespace

cudaError_t largest_row_difference(DataType type, const void* expected, const void* actual,
                                   std::int64_t rows, int columns, float floor, float* result) {
  const DeviceBuffer largest(sizeof(float));
  if (largest.error() != cudaSuccess) {
    return largest.error();
  }
  cudaError_t status = cudaMemset(largest.data(), 0, largest.bytes());
  if (status != cudaSuccess) {
    return status;
  }
  auto* const bits = reinterpret_cast<unsigned*>(largest.data());
  constexpr int blocks = 1024;
  constexpr int threads = 256;
  if (type == DataType::fp16) {
    compare_rows<<<blocks, threads>>>(static_cast<const __half*>(expected),
                                      static_cast<const __half*>(actual), rows, columns, floor,
                                      bits);
  } else {
    compare_rows<<<blocks, threads>>>(static_cast<const __nv_bfloat16*>(expected),
                                      static_cast<const __nv_bfloat16*>(actual), rows, columns,
                                      floor, bits);
  }
  status = cudaGetLastError();
  return status != cudaSuccess
             ? status
             : cudaMemcpy(result, largest.data(), sizeof(float), cudaMemcpyDeviceToHost);
}

}  // namespace ridgepoint::kernels
