#include "tests/kernels/hopper_wrapper_kernels.h"

#include "kernels/ptx/mbarrier.cuh"
#include "kernels/ptx/tma.cuh"
#include "kernels/ptx/warpgroup.cuh"
#include "kernels/ptx/wgmma.cuh"

namespace ridgepoint::kernels::tile_test {
namespace {

cudaError_t finish() {
  const cudaError_t launched = cudaGetLastError();
  return launched != cudaSuccess ? launched : cudaDeviceSynchronize();
}

constexpr int most_floats = 1024;

__global__ void bulk_load_kernel(const float* in, int count, float* out) {
  __shared__ __align__(128) float data[most_floats];
  __shared__ std::uint64_t barrier_storage;
  const std::uint32_t barrier = ptx::shared_address(&barrier_storage);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(barrier, 1);
    ptx::mbarrier_fence_init();
    ptx::mbarrier_arrive_expect_bytes(barrier, count * 4);
    ptx::bulk_load(ptx::shared_address(data), in, count * 4, barrier);
  }
  __syncthreads();
  ptx::mbarrier_wait(barrier, 0);
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
    out[i] = data[i];
  }
}

__global__ void bulk_add_kernel(float* sums, int count, bool reuse_source) {
  __shared__ __align__(128) float data[most_floats];
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
    data[i] = static_cast<float>(blockIdx.x + 1);
  }
  ptx::fence_async_proxy();
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::bulk_add(sums, ptx::shared_address(data), count * 4);
    ptx::tma_store_commit();
    ptx::tma_store_wait_read();
  }
  __syncthreads();
  if (reuse_source) {
    for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
      data[i] = 1e6F;
    }
  }
  if (threadIdx.x == 0) {
    ptx::tma_store_wait();
  }
}

__global__ void store_matrices_kernel(const std::uint32_t* registers, std::uint16_t* out) {
  __shared__ __align__(16) std::uint16_t tile[4 * 8 * 8];
  const int lane = static_cast<int>(threadIdx.x);
  const std::uint32_t* const own = registers + 4 * lane;
  // Lane 8i + r gives the address of row r of matrix i.
  ptx::store_matrices(ptx::shared_address(tile + lane * 8), own[0], own[1], own[2], own[3]);
  __syncwarp();
  for (int i = lane; i < 4 * 8 * 8; i += 32) {
    out[i] = tile[i];
  }
}

__global__ void shared_accesses_kernel(int* ints, float* floats) {
  __shared__ int numbers[64];
  __shared__ __align__(16) float quads[64 * 4];
  const int thread = static_cast<int>(threadIdx.x);
  const auto value = static_cast<float>(thread);
  ptx::store_shared(ptx::shared_address(numbers + thread), 3 * thread);
  ptx::store_shared(ptx::shared_address(quads + 4 * thread), value, value + 0.25F, value + 0.5F,
                    value + 0.75F);
  __syncthreads();
  const int neighbour = (thread + 1) % 64;
  ints[thread] = ptx::load_shared(ptx::shared_address(numbers + neighbour));
  const float2 low = ptx::load_shared_pair(ptx::shared_address(quads + 4 * neighbour));
  const float2 high = ptx::load_shared_pair(ptx::shared_address(quads + 4 * neighbour + 2));
  floats[4 * thread] = low.x;
  floats[4 * thread + 1] = low.y;
  floats[4 * thread + 2] = high.x;
  floats[4 * thread + 3] = high.y;
}

__global__ void lanes_kernel(int* elected, int* uniform) {
  elected[threadIdx.x] = ptx::elect_lane() ? 1 : 0;
  uniform[threadIdx.x] = ptx::uniform(static_cast<int>(threadIdx.x));
}

__global__ void named_barriers_kernel(int rounds, int* out) {
  constexpr int written = 1;
  constexpr int read = 2;
  constexpr int both = 2 * ptx::warpgroup_threads;
  __shared__ int number;
  const bool writer = threadIdx.x < ptx::warpgroup_threads;
  for (int round = 0; round < rounds; ++round) {
    if (writer) {
      if (threadIdx.x == 0) {
        number = 7 * round + 1;
      }
      ptx::barrier_arrive(written, both);
      ptx::barrier_sync(read, both);
    } else {
      ptx::barrier_sync(written, both);
      if (threadIdx.x == both - 1) {
        out[round] = number;
      }
      ptx::barrier_arrive(read, both);
    }
  }
}

constexpr int ring_consumers = 64;

__global__ void mbarrier_ring_kernel(int rounds, int* out) {
  constexpr int stages = 2;
  __shared__ std::uint64_t storage[2 * stages];
  __shared__ int numbers[stages];
  const std::uint32_t full = ptx::shared_address(storage);
  const std::uint32_t empty = full + 8 * stages;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < stages; ++stage) {
      ptx::mbarrier_init(full + 8 * stage, 1);
      ptx::mbarrier_init(empty + 8 * stage, ring_consumers);
    }
    ptx::mbarrier_fence_init();
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) {
      for (int round = 0; round < rounds; ++round) {
        const int stage = round % stages;
        // The phase before the first counts as complete: a stage starts free.
        ptx::mbarrier_wait(empty + 8 * stage, (round / stages + 1) % 2);
        numbers[stage] = round + 1;
        ptx::mbarrier_arrive(full + 8 * stage);
      }
    }
    return;
  }
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const int stage = round % stages;
    ptx::mbarrier_wait(full + 8 * stage, round / stages % 2);
    sum += numbers[stage];
    ptx::mbarrier_arrive(empty + 8 * stage);
  }
  out[threadIdx.x - 32] = sum;
}

__global__ void __launch_bounds__(384, 1) register_shift_kernel(float* out) {
  const int warpgroup = ptx::uniform(static_cast<int>(threadIdx.x) / ptx::warpgroup_threads);
  if (warpgroup == 0) {
    ptx::shrink_registers<24>();
  } else {
    ptx::grow_registers<240>();
    const int index = static_cast<int>(threadIdx.x) - ptx::warpgroup_threads;
    float values[200];
#pragma unroll
    for (int i = 0; i < 200; ++i) {
      values[i] = static_cast<float>(i * index);
    }
    ptx::hold(values);  // all of them at once
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 200; ++i) {
      sum += values[i];
    }
    out[index] = sum;
  }
}

}  // namespace

cudaError_t run_bulk_load(const float* in, int count, float* out) {
  bulk_load_kernel<<<1, 64>>>(in, count, out);
  return finish();
}
cudaError_t run_bulk_add(float* sums, int count, int blocks, bool reuse_source) {
  bulk_add_kernel<<<blocks, 64>>>(sums, count, reuse_source);
  return finish();
}
cudaError_t run_store_matrices(const std::uint32_t* registers, std::uint16_t* out) {
  store_matrices_kernel<<<1, 32>>>(registers, out);
  return finish();
}
cudaError_t run_shared_accesses(int* ints, float* floats) {
  shared_accesses_kernel<<<1, 64>>>(ints, floats);
  return finish();
}
cudaError_t run_lanes(int* elected, int* uniform) {
  lanes_kernel<<<1, 64>>>(elected, uniform);
  return finish();
}
cudaError_t run_named_barriers(int rounds, int* out) {
  named_barriers_kernel<<<1, 2 * ptx::warpgroup_threads>>>(rounds, out);
  return finish();
}
cudaError_t run_mbarrier_ring(int rounds, int* out) {
  mbarrier_ring_kernel<<<1, 32 + ring_consumers>>>(rounds, out);
  return finish();
}
cudaError_t run_register_shift(float* out) {
  register_shift_kernel<<<1, 384>>>(out);
  return finish();
}

}  // namespace ridgepoint::kernels::tile_test
