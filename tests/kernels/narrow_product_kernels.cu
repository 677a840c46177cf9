#include "tests/kernels/narrow_product_kernels.h"

#include "kernels/attention/device/dependent_grid.cuh"
#include "kernels/ptx/matrix_descriptor.cuh"
#include "kernels/ptx/mma_sync.cuh"
#include "kernels/ptx/tma.cuh"
#include "kernels/ptx/warpgroup.cuh"
#include "kernels/ptx/wgmma_k_major.cuh"
#include "kernels/runtime/dependent_launch.h"

namespace ridgepoint::kernels::tile_test {
namespace {

cudaError_t finish() {
  const cudaError_t launched = cudaGetLastError();
  return launched != cudaSuccess ? launched : cudaDeviceSynchronize();
}

__device__ std::uint32_t bits_of(float x) {
  return __float_as_uint(x);
}
__device__ std::uint32_t bits_of(std::int32_t x) {
  return static_cast<std::uint32_t>(x);
}
__device__ std::uint32_t bits_of(std::uint32_t x) {
  return x;
}

struct Tf32 {
  using Accumulator = float;
  using WarpgroupAccumulator = float;
  using Element = ptx::Tf32;
  static __device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                  std::uint32_t b1) {
    ptx::mma_tf32_k8(d, a, b0, b1);
  }
};
struct E4m3 {
  using Accumulator = float;
  using WarpgroupAccumulator = float;
  using Element = ptx::E4m3;
  static __device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                  std::uint32_t b1) {
    ptx::mma_e4m3_k32(d, a, b0, b1);
  }
};
struct Int8 {
  using Accumulator = std::int32_t;
  using WarpgroupAccumulator = std::uint32_t;
  using Element = ptx::Int8;
  static __device__ void multiply(std::int32_t (&d)[4], const std::uint32_t (&a)[4],
                                  std::uint32_t b0, std::uint32_t b1) {
    ptx::mma_int8_k32(d, a, b0, b1);
  }
};

// In words the fragments of the three are alike: lane l has words l%4 and l%4 + 4 of rows l/4 and
// l/4 + 8 of A, and of row l/4 of B.
template <typename Op>
__global__ void warp_product(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* d) {
  const int row = static_cast<int>(threadIdx.x) / 4;
  const int word = static_cast<int>(threadIdx.x) % 4;
  const std::uint32_t fragment[4] = {a[row * warp_words + word], a[(row + 8) * warp_words + word],
                                     a[row * warp_words + word + 4],
                                     a[(row + 8) * warp_words + word + 4]};
  typename Op::Accumulator sums[4] = {};
  Op::multiply(sums, fragment, b[row * warp_words + word], b[row * warp_words + word + 4]);
  for (int i = 0; i < 4; ++i) {
    d[(row + i / 2 * 8) * 8 + 2 * word + i % 2] = bits_of(sums[i]);
  }
}

constexpr int m = 64;
constexpr int n = 256;

// Rows of 128 bytes in the 128-byte swizzle (matrix_descriptor.cuh).
__device__ void swizzle(const std::uint32_t* rows, int count, std::uint32_t* tile) {
  constexpr int chunk_words = 4;
  for (int i = static_cast<int>(threadIdx.x); i < count * warpgroup_words;
       i += ptx::warpgroup_threads) {
    const int row = i / warpgroup_words;
    const int chunk = i % warpgroup_words / chunk_words;
    tile[row * warpgroup_words + (chunk ^ (row % 8)) * chunk_words + i % chunk_words] = rows[i];
  }
}

template <typename Op>
__global__ void __launch_bounds__(ptx::warpgroup_threads, 1)
    warpgroup_product(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* d) {
  __shared__ alignas(ptx::swizzle_atom_bytes) std::uint32_t a_tile[m * warpgroup_words];
  __shared__ alignas(ptx::swizzle_atom_bytes) std::uint32_t b_tile[n * warpgroup_words];
  swizzle(a, m, a_tile);
  swizzle(b, n, b_tile);
  ptx::fence_async_proxy();
  __syncthreads();
  const std::uint64_t a_descriptor = ptx::k_major_descriptor(ptx::shared_address(a_tile));
  const std::uint64_t b_descriptor = ptx::k_major_descriptor(ptx::shared_address(b_tile));
  typename Op::WarpgroupAccumulator sums[n / 2] = {};
  ptx::hold(sums);
  ptx::wgmma_fence();
#pragma unroll
  for (int step = 0; step < 4; ++step) {
    // The first product ignores what the registers hold.
    ptx::Wgmma<typename Op::Element, n>::ss(sums, ptx::advance(a_descriptor, 32 * step),
                                            ptx::advance(b_descriptor, 32 * step), step != 0);
  }
  ptx::wgmma_commit();
  ptx::wgmma_wait<0>();
  ptx::hold(sums);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int row = static_cast<int>(threadIdx.x) / 32 * 16 + lane / 4;
#pragma unroll
  for (int i = 0; i < n / 2; ++i) {
    d[(row + i / 2 % 2 * 8) * n + i / 4 * 8 + lane % 4 * 2 + i % 2] = bits_of(sums[i]);
  }
}

constexpr int relay_threads = 128;

struct Relay {
  int round;
  int count;
  int* numbers;
  int* copies;
};

__global__ void write_slowly(Relay relay) {
  constexpr long long cycles = 20000;  // much longer than the dependent takes to start
  device::let_dependents_start();
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  const int i = static_cast<int>(blockIdx.x * relay_threads + threadIdx.x);
  relay.numbers[i] = 1000 * relay.round + i;
}

__global__ void copy_when_written(Relay relay) {
  device::wait_for_prerequisites();
  const int i = static_cast<int>(blockIdx.x * relay_threads + threadIdx.x);
  relay.copies[relay.round * relay.count + i] = relay.numbers[relay.count - 1 - i];
}

}  // namespace

cudaError_t run_warp_product(NarrowType type, const std::uint32_t* a, const std::uint32_t* b,
                             std::uint32_t* d) {
  const auto kernel = type == NarrowType::tf32   ? warp_product<Tf32>
                      : type == NarrowType::e4m3 ? warp_product<E4m3>
                                                 : warp_product<Int8>;
  kernel<<<1, 32>>>(a, b, d);
  return finish();
}

cudaError_t run_warpgroup_product(NarrowType type, const std::uint32_t* a, const std::uint32_t* b,
                                  std::uint32_t* d) {
  const auto kernel = type == NarrowType::tf32   ? warpgroup_product<Tf32>
                      : type == NarrowType::e4m3 ? warpgroup_product<E4m3>
                                                 : warpgroup_product<Int8>;
  kernel<<<1, ptx::warpgroup_threads>>>(a, b, d);
  return finish();
}

cudaError_t run_relay(int rounds, int count, int* numbers, int* copies) {
  const int blocks = count / relay_threads;
  for (int round = 0; round < rounds; ++round) {
    const Relay relay{round, count, numbers, copies};
    write_slowly<<<blocks, relay_threads>>>(relay);
    const cudaError_t status = launch_dependent_kernel(
        reinterpret_cast<const void*>(copy_when_written), blocks, relay_threads, relay, nullptr);
    if (status != cudaSuccess) {
      return status;
    }
  }
  return finish();
}

}  // namespace ridgepoint::kernels::tile_test
