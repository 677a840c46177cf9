// The main kernel of attention backward for Hopper: dK, dV and the FP32 sums of dQ from Q, K, V, dO
// and two numbers a row, -LSE and D. S and P are computed again, tile by tile, and never leave the
// chip.
#pragma once

#include "kernels/attention/hopper_backward/epilogue.cuh"
#include "kernels/attention/hopper_backward/producer.cuh"
#include "kernels/attention/hopper_backward/writer.cuh"

namespace ridgepoint::kernels {
namespace hopper_backward {

template <class Traits>
__device__ __forceinline__ void initialise_barriers(std::uint32_t shared) {
  using Shared = SharedLayout<Traits>;
  constexpr int consumer_threads = ptx::warpgroup_threads * Traits::consumers;
  constexpr int consumer_warps = consumer_threads / 32;
  ptx::mbarrier_init(shared + Shared::k_full, 1);
  ptx::mbarrier_init(shared + Shared::v_full, 1);
#pragma unroll
  for (int s = 0; s < Traits::q_stages; ++s) {
    ptx::mbarrier_init(shared + Shared::q_full + 8 * s, 1);
    ptx::mbarrier_init(shared + Shared::q_empty + 8 * s, consumer_warps);
  }
#pragma unroll
  for (int s = 0; s < Traits::do_stages; ++s) {
    ptx::mbarrier_init(shared + Shared::do_full + 8 * s, 1);
    ptx::mbarrier_init(shared + Shared::do_empty + 8 * s, consumer_threads);
  }
#pragma unroll
  for (int c = 0; c < Traits::consumers; ++c) {
    ptx::mbarrier_init(shared + Shared::dq_full + 8 * c, ptx::warpgroup_threads);
    ptx::mbarrier_init(shared + Shared::dq_empty + 8 * c, 1);
  }
  ptx::mbarrier_fence_init();
}

template <class Traits>
__device__ __forceinline__ void consume(const Arguments& p, const Work<Traits>& work,
                                        std::uint32_t shared, int consumer) {
  using Shared = SharedLayout<Traits>;
  float dk[Traits::head_dim / 2];
  float dv[Traits::head_dim / 2];
#pragma unroll
  for (int i = 0; i < Traits::head_dim / 2; ++i) {
    dk[i] = 0;
    dv[i] = 0;
  }
  if (work.steps > 0) {
    Consumer<Traits>(shared, consumer).accumulate(p, work, dk, dv);
  }
  ptx::barrier_sync(consumers_barrier, Traits::consumers * ptx::warpgroup_threads);
  const int own_rows = 64 * consumer * ptx::swizzle_row_bytes;
  const int row = work.first_key + 64 * consumer;
  const int barrier = warpgroup_barrier + consumer;
  write_key_gradient<Traits>(&p.dv, shared + Shared::v + own_rows, dv, 1.0F, row, work.kv_head,
                             p.seqlen_k, barrier);
  write_key_gradient<Traits>(&p.dk, shared + Shared::k + own_rows, dk, p.scale, row, work.kv_head,
                             p.seqlen_k, barrier);
  if (threadIdx.x % ptx::warpgroup_threads == 0) {
    ptx::tma_store_wait();
  }
}

}  // namespace hopper_backward

template <class Traits>
__global__ void __launch_bounds__(Traits::threads, 1)
    hopper_attention_backward(const __grid_constant__ hopper_backward::Arguments p) {
  extern __shared__ unsigned char raw_shared[];
  const std::uint32_t shared = (ptx::shared_address(raw_shared) + ptx::swizzle_atom_bytes - 1) /
                               ptx::swizzle_atom_bytes * ptx::swizzle_atom_bytes;
  const int warpgroup = ptx::uniform(static_cast<int>(threadIdx.x) / ptx::warpgroup_threads);
  const hopper_backward::Work<Traits> work(p, static_cast<int>(blockIdx.x));

  if (threadIdx.x == 0) {
    ptx::prefetch_tensor_map(&p.q);
    ptx::prefetch_tensor_map(&p.d_o);
    ptx::prefetch_tensor_map(&p.k);
    ptx::prefetch_tensor_map(&p.v);
    hopper_backward::initialise_barriers<Traits>(shared);
  }
  __syncthreads();

  if (warpgroup == 0) {
    ptx::shrink_registers<Traits::producer_registers>();
    // The first warp copies in, the next two copy dQ out, one for each consumer.
    const int warp = ptx::uniform(static_cast<int>(threadIdx.x) / 32);
    if (threadIdx.x % 32 == 0 && work.steps > 0) {
      if (warp == 0) {
        hopper_backward::produce<Traits>(p, work, shared);
      } else if (warp <= Traits::consumers) {
        hopper_backward::write_dq<Traits>(p, work, shared, warp - 1);
      }
    }
  } else {
    ptx::grow_registers<Traits::consumer_registers>();
    hopper_backward::consume<Traits>(p, work, shared, warpgroup - 1);
  }
}

}  // namespace ridgepoint::kernels
