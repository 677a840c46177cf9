// The producer: one thread that hands out query tiles and keeps the copy engine busy.
//
// The number of a tile travels with its Q: it is written before the arrival on q_full, read by the
// consumers after their wait, and not overwritten before they gave the stage back. -1 ends the
// consumers. Copies go out in the order in which the consumers need them: Q, K(n-1), K(n-2),
// V(n-1), K(n-3), V(n-2) ..., V(0), because a consumer issues the scores of the next step before
// the output product of this one.
#pragma once

#include "kernels/attention/hopper/pipeline.cuh"
#include "kernels/attention/hopper/traits.cuh"
#include "kernels/attention/hopper/work.cuh"
#include "kernels/ptx/tma.cuh"

namespace ridgepoint::kernels::hopper {

template <class Tile>
__device__ __forceinline__ void load_tile(std::uint32_t destination, const CUtensorMap* map,
                                          std::uint32_t barrier, int row, int head) {
#pragma unroll
  for (int panel = 0; panel < Tile::panels; ++panel) {
    ptx::tma_load_3d(destination + panel * Tile::panel_bytes, map, barrier, panel * 64, row, head);
  }
}

template <class Traits>
__device__ __forceinline__ void produce(const Arguments& p, std::uint32_t shared) {
  using Shared = SharedLayout<Traits>;
  using KvTile = typename Traits::KvTile;
  RingPosition<Traits::q_stages> q;
  RingPosition<Traits::kv_stages> k;
  RingPosition<Traits::kv_stages> v;

  const auto load_k = [&](int step, int head) {
    const std::uint32_t full = shared + Shared::k_full + 8 * k.stage;
    ptx::mbarrier_wait(shared + Shared::k_empty + 8 * k.stage, k.producer_parity());
    ptx::mbarrier_arrive_expect_bytes(full, KvTile::bytes);
    load_tile<KvTile>(shared + Shared::k + k.stage * KvTile::bytes, &p.k, full,
                      step * Traits::block_n, head);
    k.advance();
  };
  const auto load_v = [&](int step, int head) {
    const std::uint32_t full = shared + Shared::v_full + 8 * v.stage;
    ptx::mbarrier_wait(shared + Shared::v_empty + 8 * v.stage, v.producer_parity());
    ptx::mbarrier_arrive_expect_bytes(full, KvTile::bytes);
    load_tile<KvTile>(shared + Shared::v + v.stage * KvTile::bytes, &p.v, full,
                      step * Traits::block_n, head);
    v.advance();
  };

  int tile = static_cast<int>(blockIdx.x);
  while (true) {
    const std::uint32_t q_full = shared + Shared::q_full + 8 * q.stage;
    ptx::mbarrier_wait(shared + Shared::q_empty + 8 * q.stage, q.producer_parity());
    const bool done = tile >= p.tiles;
    ptx::store_shared(shared + Shared::tile_numbers + 4 * q.stage, done ? -1 : tile);
    if (done) {
      ptx::mbarrier_arrive(q_full);
      break;
    }
    const Work<Traits> work(p, tile);
    tile = next_tile(p, tile);
    if (work.steps == 0) {
      ptx::mbarrier_arrive(q_full);
    } else {
      ptx::mbarrier_arrive_expect_bytes(q_full, Traits::QTile::bytes);
      load_tile<typename Traits::QTile>(shared + Shared::q + q.stage * Traits::QTile::bytes, &p.q,
                                        q_full, work.first_row, work.query_head);
      load_k(work.steps - 1, work.kv_head);
#pragma unroll 1
      for (int step = work.steps - 1; step > 0; --step) {
        load_k(step - 1, work.kv_head);
        load_v(step, work.kv_head);
      }
      load_v(0, work.kv_head);
    }
    q.advance();
  }
}

}  // namespace ridgepoint::kernels::hopper
