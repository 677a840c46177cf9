// Writes 64 rows of dK or dV: accumulators to 16 bits, through the shared memory where this
// warpgroup's rows of K or V were, by a copy that clips rows past the end of the sequence. Both
// warpgroups read all of K, so they must have met after their last product.
#pragma once

#include "kernels/attention/hopper_backward/consumer.cuh"

namespace ridgepoint::kernels::hopper_backward {

template <class Traits>
__device__ __forceinline__ void write_key_gradient(const CUtensorMap* map, std::uint32_t stage,
                                                   const float (&sum)[Traits::head_dim / 2],
                                                   float factor, int row, int head, int rows,
                                                   int barrier) {
  using Element = typename Traits::Element;
  using KeyTile = typename Traits::KeyTile;
  const int thread = static_cast<int>(threadIdx.x) % ptx::warpgroup_threads;
  const int matrix_row = thread / 32 * 16 + thread % 16;
#pragma unroll
  for (int chunk = 0; chunk < Traits::head_dim / 8; chunk += 2) {
    const int own_chunk = (chunk + thread % 32 / 16) % 8 ^ matrix_row % 8;
    const float* const a = &sum[4 * chunk];
    ptx::store_matrices(stage + chunk / 8 * KeyTile::panel_bytes +
                            matrix_row * ptx::swizzle_row_bytes + own_chunk * 16,
                        device::Element<Element>::pack(a[0] * factor, a[1] * factor),
                        device::Element<Element>::pack(a[2] * factor, a[3] * factor),
                        device::Element<Element>::pack(a[4] * factor, a[5] * factor),
                        device::Element<Element>::pack(a[6] * factor, a[7] * factor));
  }
  ptx::fence_async_proxy();
  ptx::barrier_sync(barrier, ptx::warpgroup_threads);
  if (thread == 0 && row < rows) {
#pragma unroll
    for (int panel = 0; panel < KeyTile::panels; ++panel) {
      ptx::tma_store_3d(map, stage + panel * KeyTile::panel_bytes, panel * 64, row, head);
    }
    ptx::tma_store_commit();
  }
}

}  // namespace ridgepoint::kernels::hopper_backward
