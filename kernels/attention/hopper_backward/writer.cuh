// A writer: one thread a consumer warpgroup that adds its pieces of dQ to global memory by the copy
// engine, so that no consumer waits for a copy.
//
// Life cycle of the piece in shared memory, on two mbarriers: the 128 consumer threads wait for
// `empty`, fill it, fence towards the asynchronous proxy and arrive on `full`; the writer waits for
// `full`, starts the addition, and arrives on `empty` when the engine has read the piece.
//
// With `turns` the pieces of a tile are added in a fixed order, so that sums repeat bit for bit. A
// writer then waits for the thread blocks before it in that order: work.cuh starts those first.
#pragma once

#include "kernels/attention/hopper_backward/dq_tile.cuh"
#include "kernels/attention/hopper_backward/traits.cuh"
#include "kernels/attention/hopper_backward/work.cuh"
#include "kernels/ptx/mbarrier.cuh"
#include "kernels/ptx/tma.cuh"

namespace ridgepoint::kernels::hopper_backward {

__device__ __forceinline__ void await_turn(const std::uint32_t* turn, int order) {
  std::uint32_t count = 0;
  do {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];\n" : "=r"(count) : "l"(turn) : "memory");
  } while (count != static_cast<std::uint32_t>(order));
}

// The additions of the copy engine are complete, and ordered before the release that others
// acquire.
__device__ __forceinline__ void pass_turn(std::uint32_t* turn) {
  ptx::tma_store_wait();
  asm volatile("fence.proxy.async;\n" ::: "memory");
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;\n" ::"l"(turn) : "memory");
}

template <class Traits>
__device__ __forceinline__ void write_dq(const Arguments& p, const Work<Traits>& work,
                                         std::uint32_t shared, int consumer) {
  using Shared = SharedLayout<Traits>;
  const std::uint32_t piece = shared + Shared::dq + consumer * Shared::dq_piece_bytes;
  Visit<Traits> visit(p, work);
#pragma unroll 1
  for (int step = 0; step < work.steps; ++step) {
    const std::int64_t index = dq_piece_index(p, visit.query_head, visit.tile, consumer);
    ptx::mbarrier_wait(shared + Shared::dq_full + 8 * consumer, step % 2);
    if (p.rows.turns != nullptr) {
      await_turn(p.rows.turns + index, work.order_at(p, visit.tile));
    }
    ptx::bulk_add(p.rows.dq_sum + index * dq_piece_floats, piece, Shared::dq_piece_bytes);
    ptx::tma_store_commit();
    if (p.rows.turns != nullptr) {
      pass_turn(p.rows.turns + index);
    } else {
      ptx::tma_store_wait_read();
    }
    ptx::mbarrier_arrive(shared + Shared::dq_empty + 8 * consumer);
    visit.advance(p, work);
  }
  ptx::tma_store_wait();
}

}  // namespace ridgepoint::kernels::hopper_backward
