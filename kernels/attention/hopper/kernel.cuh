// Attention forward for Hopper: FlashAttention-3's structure (arXiv 2407.08608) on TMA, mbarriers
// and wgmma.
//
// Persistent thread blocks of 1 producer and 2 to 4 consumer warpgroups. S and P stay in registers;
// HBM sees Q, K, V once as long as K and V of the heads in work fit L2, O and the LSE once.
#pragma once

#include "kernels/attention/hopper/consumer.cuh"
#include "kernels/attention/hopper/epilogue.cuh"
#include "kernels/attention/hopper/producer.cuh"

namespace ridgepoint::kernels {
namespace hopper {

template <class Traits>
__device__ __forceinline__ void initialise_barriers(std::uint32_t shared) {
  using Shared = SharedLayout<Traits>;
  constexpr int consumer_warps = 4 * Traits::consumers;
#pragma unroll
  for (int s = 0; s < Traits::q_stages; ++s) {
    ptx::mbarrier_init(shared + Shared::q_full + 8 * s, 1);
    ptx::mbarrier_init(shared + Shared::q_empty + 8 * s, consumer_warps);
  }
#pragma unroll
  for (int s = 0; s < Traits::kv_stages; ++s) {
    ptx::mbarrier_init(shared + Shared::k_full + 8 * s, 1);
    ptx::mbarrier_init(shared + Shared::k_empty + 8 * s, consumer_warps);
    ptx::mbarrier_init(shared + Shared::v_full + 8 * s, 1);
    ptx::mbarrier_init(shared + Shared::v_empty + 8 * s, consumer_warps);
  }
  ptx::mbarrier_fence_init();
}

template <class Traits>
__device__ __forceinline__ void consume(const Arguments& p, std::uint32_t shared, int consumer) {
  using Shared = SharedLayout<Traits>;
  const int thread = static_cast<int>(threadIdx.x) % ptx::warpgroup_threads;
  Consumer<Traits> self(shared, consumer);
  self.turn.start();
  RingPosition<Traits::q_stages> q;
  // One thread a warp reads the tile number and gives the stage back; the one that started the copy
  // of O waits for it first.
  const bool speaks = thread % 32 == 0;
  int unreleased = -1;  // Q stage that this warpgroup's O is still being copied from
  const auto release_q = [&] {
    if (unreleased >= 0 && speaks) {
      if (thread == 0) {
        ptx::tma_store_wait_read();
      }
      ptx::mbarrier_arrive(shared + Shared::q_empty + 8 * unreleased);
    }
    unreleased = -1;
  };

  while (true) {
    ptx::mbarrier_wait(shared + Shared::q_full + 8 * q.stage, q.parity);
    int tile = 0;
    if (speaks) {
      tile = ptx::load_shared(shared + Shared::tile_numbers + 4 * q.stage);
    }
    tile = ptx::uniform(tile);
    if (tile < 0) {
      break;
    }
    const Work<Traits> work(p, tile);
    const std::uint32_t q_tile = shared + Shared::q + q.stage * Traits::QTile::bytes;
    const int first_row = work.first_row + self.warpgroup_row;
    const int own_steps = Work<Traits>::steps_of(p, first_row, warpgroup_rows);
    // The copy of the last tile's O has had the time since then, or the first scores, to finish in:
    // its stage is given back here.
    if (own_steps == 0) {
      release_q();
    }
    self.pass_by(work.steps - own_steps, own_steps == 0);
    if (first_row < p.seqlen_q) {
      float o[Traits::head_dim / 2];
#pragma unroll
      for (float& element : o) {
        element = 0;
      }
      RowState state;
      if (own_steps > 0) {
        self.accumulate(p, work, own_steps, q_tile, o, state, release_q);
      }
      write_rows<Traits>(p, q_tile + self.warpgroup_row * ptx::swizzle_row_bytes, work.query_head,
                         first_row, o, state, warpgroup_barrier + consumer);
    }
    unreleased = q.stage;
    if constexpr (Traits::q_stages == 1) {
      release_q();
    }
    q.advance();
  }
  if (thread == 0) {
    ptx::tma_store_wait();
  }
}

}  // namespace hopper

template <class Traits>
__global__ void __launch_bounds__(Traits::threads, 1)
    hopper_attention_forward(const __grid_constant__ hopper::Arguments p) {
  extern __shared__ unsigned char raw_shared[];
  const std::uint32_t shared = (ptx::shared_address(raw_shared) + ptx::swizzle_atom_bytes - 1) /
                               ptx::swizzle_atom_bytes * ptx::swizzle_atom_bytes;
  const int warpgroup = ptx::uniform(static_cast<int>(threadIdx.x) / ptx::warpgroup_threads);

  if (threadIdx.x == 0) {
    ptx::prefetch_tensor_map(&p.q);
    ptx::prefetch_tensor_map(&p.k);
    ptx::prefetch_tensor_map(&p.v);
    ptx::prefetch_tensor_map(&p.o);
    hopper::initialise_barriers<Traits>(shared);
  }
  __syncthreads();

  if (warpgroup == 0) {
    ptx::shrink_registers<Traits::producer_registers>();
    if (threadIdx.x == 0) {
      hopper::produce<Traits>(p, shared);
    }
  } else {
    ptx::grow_registers<Traits::consumer_registers>();
    hopper::consume<Traits>(p, shared, warpgroup - 1);
  }
}

}  // namespace ridgepoint::kernels
