// Normalises O and writes it with the log-sum-exp.
//
// O is staged where this warpgroup's rows of Q were; no other warpgroup reads them, and its own
// products with Q have retired. Ordinary stores fill the stage, every writer fences towards the
// asynchronous proxy, the warpgroup meets, and one thread starts the copy, which clips rows past
// the end of the sequence. The stage goes back to the producer only when the copy has read it.
#pragma once

#include "kernels/attention/hopper/arguments.h"
#include "kernels/attention/hopper/softmax.cuh"
#include "kernels/attention/hopper/traits.cuh"
#include "kernels/attention/hopper/work.cuh"
#include "kernels/ptx/tma.cuh"

namespace ridgepoint::kernels::hopper {

// `stage` is the first byte of this warpgroup's rows in panel 0; `row` its first row in the
// sequence.
template <class Traits>
__device__ __forceinline__ void write_rows(const Arguments& p, std::uint32_t stage, int head,
                                           int row, float (&o)[Traits::head_dim / 2],
                                           const RowState& state, int barrier) {
  using Element = typename Traits::Element;
  const int thread = static_cast<int>(threadIdx.x) % ptx::warpgroup_threads;
  const int lane = thread % 32;
  const int warp_row = thread / 32 * 16;
  float inverse[2];
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const float sum = device::quad_sum(state.sum[r]);
    // Exactly 0 only where no key was visible; a NaN is left to be seen.
    const bool empty = sum == 0.0F;
    inverse[r] = empty ? 0.0F : 1.0F / sum;
    const int own_row = row + warp_row + lane / 4 + 8 * r;
    if (p.lse != nullptr && lane % 4 == 0 && own_row < p.seqlen_q) {
      p.lse[static_cast<std::int64_t>(head) * p.seqlen_q + own_row] =
          empty ? -INFINITY : fmaf(state.base[r], p.scale, logf(sum));
    }
  }
  // All warps are past the last product that read the stage.
  ptx::barrier_sync(barrier, ptx::warpgroup_threads);
  // Lanes 8i to 8i+7 address matrix i: rows 8*(i%2) on, chunk i/2 of the pair. Each row's chunks
  // are XORed with row % 8.
  const int matrix_row = warp_row + lane % 16;
#pragma unroll
  for (int chunk = 0; chunk < Traits::head_dim / 8; chunk += 2) {
    const int own_chunk = (chunk + lane / 16) % 8 ^ matrix_row % 8;
    const std::uint32_t address = stage + chunk / 8 * Traits::QTile::panel_bytes +
                                  matrix_row * ptx::swizzle_row_bytes + own_chunk * 16;
    const float* pair = &o[4 * chunk];
    ptx::store_matrices(address,
                        device::Element<Element>::pack(pair[0] * inverse[0], pair[1] * inverse[0]),
                        device::Element<Element>::pack(pair[2] * inverse[1], pair[3] * inverse[1]),
                        device::Element<Element>::pack(pair[4] * inverse[0], pair[5] * inverse[0]),
                        device::Element<Element>::pack(pair[6] * inverse[1], pair[7] * inverse[1]));
  }
  ptx::fence_async_proxy();
  ptx::barrier_sync(barrier, ptx::warpgroup_threads);
  if (thread == 0 && row < p.seqlen_q) {
#pragma unroll
    for (int panel = 0; panel < Traits::QTile::panels; ++panel) {
      ptx::tma_store_3d(&p.o, stage + panel * Traits::QTile::panel_bytes, panel * 64, row, head);
    }
    ptx::tma_store_commit();
  }
}

}  // namespace ridgepoint::kernels::hopper
