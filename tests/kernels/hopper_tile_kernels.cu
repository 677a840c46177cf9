#include "tests/kernels/hopper_tile_kernels.h"

#include "kernels/attention/hopper/tensor_map.h"
#include "kernels/ptx/matrix_descriptor.cuh"
#include "kernels/ptx/mbarrier.cuh"
#include "kernels/ptx/tma.cuh"
#include "kernels/ptx/warpgroup.cuh"
#include "kernels/ptx/wgmma.cuh"

namespace ridgepoint::kernels::tile_test {
namespace {

constexpr int max_shared_bytes = 200 * 1024;

__device__ std::uint32_t aligned_shared() {
  extern __shared__ unsigned char raw[];
  return (ptx::shared_address(raw) + 1023) / 1024 * 1024;
}

template <typename Element, int N, int K, bool RegisterA, bool TransposedB, bool TransposedA>
__global__ void __launch_bounds__(128, 1)
    product(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
            const std::uint32_t* a, float* d) {
  constexpr int b_rows = TransposedB ? K : N;
  constexpr int b_columns = TransposedB ? N : K;
  constexpr int a_bytes = 64 * K * 2;
  constexpr int b_bytes = b_rows * b_columns * 2;
  __shared__ std::uint64_t barrier_storage;
  const std::uint32_t barrier = ptx::shared_address(&barrier_storage);
  const std::uint32_t a_tile = aligned_shared();
  const std::uint32_t b_tile = a_tile + a_bytes;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(barrier, 1);
    ptx::mbarrier_fence_init();
    ptx::mbarrier_arrive_expect_bytes(barrier, a_bytes + b_bytes);
    ptx::prefetch_tensor_map(&a_map);
    ptx::prefetch_tensor_map(&b_map);
    for (int panel = 0; panel < (TransposedA ? 1 : K / 64); ++panel) {
      ptx::tma_load_3d(a_tile + panel * 64 * 128, &a_map, barrier, panel * 64, 0, 0);
    }
    for (int panel = 0; panel < b_columns / 64; ++panel) {
      ptx::tma_load_3d(b_tile + panel * b_rows * 128, &b_map, barrier, panel * 64, 0, 0);
    }
  }
  __syncthreads();
  ptx::mbarrier_wait(barrier, 0);

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int row = static_cast<int>(threadIdx.x) / 32 * 16 + lane / 4;
  std::uint32_t fragment[K / 4];
  if constexpr (RegisterA) {
#pragma unroll
    for (int step = 0; step < K / 16; ++step) {
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const int column = step * 16 + r / 2 * 8 + lane % 4 * 2;
        fragment[4 * step + r] = a[((row + r % 2 * 8) * K + column) / 2];
      }
    }
    ptx::hold(fragment);
  }
  float sums[N / 2];
#pragma unroll
  for (float& sum : sums) {
    sum = 0;
  }
  ptx::hold(sums);
  ptx::wgmma_fence();
  const std::uint64_t a_descriptor =
      TransposedA ? ptx::mn_major_descriptor<K>(a_tile) : ptx::k_major_descriptor(a_tile);
  const std::uint64_t b_descriptor =
      TransposedB ? ptx::mn_major_descriptor<b_rows>(b_tile) : ptx::k_major_descriptor(b_tile);
#pragma unroll
  for (int step = 0; step < K / 16; ++step) {
    const std::uint64_t b = ptx::advance(
        b_descriptor, TransposedB ? ptx::mn_major_step(step) : ptx::k_major_step<b_rows>(step));
    if constexpr (RegisterA) {
      ptx::Wgmma<Element, N>::template rs<TransposedB>(sums, &fragment[4 * step], b, step != 0);
    } else {
      const int a_step = TransposedA ? ptx::mn_major_step(step) : ptx::k_major_step<64>(step);
      ptx::Wgmma<Element, N>::template ss<TransposedB, TransposedA>(
          sums, ptx::advance(a_descriptor, a_step), b, step != 0);
    }
  }
  ptx::wgmma_commit();
  ptx::wgmma_wait<0>();
  ptx::hold(sums);
#pragma unroll
  for (int i = 0; i < N / 2; ++i) {
    d[(row + i / 2 % 2 * 8) * N + i / 4 * 8 + lane % 4 * 2 + i % 2] = sums[i];
  }
}

template <typename Element, int N, int K, bool RegisterA, bool TransposedB, bool TransposedA>
cudaError_t launch_product(const ProductCase& c, const void* a, const void* b, int b_rows,
                           float* d) {
  CUtensorMap a_map;
  CUtensorMap b_map;
  cudaError_t status = hopper::encode_tensor_map(
      a_map, {a, c.dtype, 1, TransposedA ? K : 64, TransposedA ? 64 : K}, TransposedA ? K : 64);
  if (status == cudaSuccess) {
    status = hopper::encode_tensor_map(b_map, {b, c.dtype, 1, b_rows, TransposedB ? N : K},
                                       TransposedB ? K : N);
  }
  const auto kernel = product<Element, N, K, RegisterA, TransposedB, TransposedA>;
  if (status == cudaSuccess) {
    status =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, max_shared_bytes);
  }
  if (status != cudaSuccess) {
    return status;
  }
  kernel<<<1, 128, max_shared_bytes>>>(a_map, b_map, static_cast<const std::uint32_t*>(a), d);
  status = cudaGetLastError();
  return status != cudaSuccess ? status : cudaDeviceSynchronize();
}

template <typename Element>
cudaError_t dispatch(const ProductCase& c, const void* a, const void* b, int b_rows, float* d) {
#define RIDGEPOINT_CASE(FORM, N, K, REGISTER_A, TRANSPOSED_B)                                     \
  if (c.operands == Operands::FORM && c.n == (N) && c.k == (K)) {                                 \
    constexpr bool transposed_a = Operands::FORM == Operands::shared_transposed_both;             \
    return launch_product<Element, N, K, REGISTER_A, TRANSPOSED_B, transposed_a>(c, a, b, b_rows, \
                                                                                 d);              \
  }
  RIDGEPOINT_CASE(shared_k_major, 64, 64, false, false)
  RIDGEPOINT_CASE(shared_k_major, 128, 64, false, false)
  RIDGEPOINT_CASE(shared_k_major, 128, 128, false, false)
  RIDGEPOINT_CASE(shared_k_major, 160, 128, false, false)
  RIDGEPOINT_CASE(shared_k_major, 176, 128, false, false)
  RIDGEPOINT_CASE(shared_k_major, 80, 256, false, false)
  RIDGEPOINT_CASE(shared_transposed_b, 64, 64, false, true)
  RIDGEPOINT_CASE(shared_transposed_b, 128, 128, false, true)
  RIDGEPOINT_CASE(shared_transposed_both, 64, 128, false, true)
  RIDGEPOINT_CASE(registers_k_major, 128, 64, true, false)
  RIDGEPOINT_CASE(registers_transposed_b, 64, 128, true, true)
  RIDGEPOINT_CASE(registers_transposed_b, 128, 64, true, true)
  RIDGEPOINT_CASE(registers_transposed_b, 128, 128, true, true)
  RIDGEPOINT_CASE(registers_transposed_b, 256, 64, true, true)
#undef RIDGEPOINT_CASE
  return cudaErrorNotSupported;
}

__global__ void load(const __grid_constant__ CUtensorMap map, int head, int row, int box_rows,
                     uint4* out) {
  __shared__ std::uint64_t barrier_storage;
  const std::uint32_t barrier = ptx::shared_address(&barrier_storage);
  const std::uint32_t tile = aligned_shared();
  const int panel_bytes = box_rows * 128;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(barrier, 1);
    ptx::mbarrier_fence_init();
    ptx::mbarrier_arrive_expect_bytes(barrier, 2 * panel_bytes);
    ptx::tma_load_3d(tile, &map, barrier, 0, row, head);
    ptx::tma_load_3d(tile + panel_bytes, &map, barrier, 64, row, head);
  }
  __syncthreads();
  ptx::mbarrier_wait(barrier, 0);
  for (int i = static_cast<int>(threadIdx.x); i < 2 * panel_bytes / 16; i += 128) {
    uint4 chunk;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(chunk.x), "=r"(chunk.y), "=r"(chunk.z), "=r"(chunk.w)
                 : "r"(tile + 16 * i)
                 : "memory");
    out[i] = chunk;
  }
}

__global__ void store(const __grid_constant__ CUtensorMap map, int head, int row,
                      const uint4* panels) {
  const std::uint32_t tile = aligned_shared();
  constexpr int panel_bytes = 64 * 128;
  for (int i = static_cast<int>(threadIdx.x); i < 2 * panel_bytes / 16; i += 128) {
    const uint4 chunk = panels[i];
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};\n" ::"r"(tile + 16 * i), "r"(chunk.x),
                 "r"(chunk.y), "r"(chunk.z), "r"(chunk.w)
                 : "memory");
  }
  ptx::fence_async_proxy();
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::tma_store_3d(&map, tile, 0, row, head);
    ptx::tma_store_3d(&map, tile + panel_bytes, 64, row, head);
    ptx::tma_store_commit();
    ptx::tma_store_wait();
  }
}

}  // namespace

cudaError_t run_product(const ProductCase& c, const void* a, const void* b, int b_rows, float* d) {
  return c.dtype == DataType::fp16 ? dispatch<__half>(c, a, b, b_rows, d)
                                   : dispatch<__nv_bfloat16>(c, a, b, b_rows, d);
}

cudaError_t run_load(const void* tensor, int heads, int rows, int head, int row, int box_rows,
                     void* out) {
  CUtensorMap map;
  cudaError_t status =
      hopper::encode_tensor_map(map, {tensor, DataType::fp16, heads, rows, 128}, box_rows);
  if (status == cudaSuccess) {
    status =
        cudaFuncSetAttribute(load, cudaFuncAttributeMaxDynamicSharedMemorySize, max_shared_bytes);
  }
  if (status != cudaSuccess) {
    return status;
  }
  load<<<1, 128, max_shared_bytes>>>(map, head, row, box_rows, static_cast<uint4*>(out));
  status = cudaGetLastError();
  return status != cudaSuccess ? status : cudaDeviceSynchronize();
}

cudaError_t run_store(const void* panels, void* tensor, int heads, int rows, int head, int row) {
  CUtensorMap map;
  cudaError_t status =
      hopper::encode_tensor_map(map, {tensor, DataType::fp16, heads, rows, 128}, 64);
  if (status == cudaSuccess) {
    status =
        cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, max_shared_bytes);
  }
  if (status != cudaSuccess) {
    return status;
  }
  store<<<1, 128, max_shared_bytes>>>(map, head, row, static_cast<const uint4*>(panels));
  status = cudaGetLastError();
  return status != cudaSuccess ? status : cudaDeviceSynchronize();
}

}  // namespace ridgepoint::kernels::tile_test
