// The producer: one thread that copies K and V once and then Q, dO, -LSE and D of every visit,
// ahead of the consumers by as many stages as there are (life cycle: hopper/pipeline.cuh).
#pragma once

#include "kernels/attention/hopper/producer.cuh"
#include "kernels/attention/hopper_backward/traits.cuh"
#include "kernels/attention/hopper_backward/work.cuh"

namespace ridgepoint::kernels::hopper_backward {

template <class Traits>
__device__ __forceinline__ void produce(const Arguments& p, const Work<Traits>& work,
                                        std::uint32_t shared) {
  using Shared = SharedLayout<Traits>;
  using QueryTile = typename Traits::QueryTile;
  using KeyTile = typename Traits::KeyTile;

  ptx::mbarrier_arrive_expect_bytes(shared + Shared::k_full, KeyTile::bytes);
  hopper::load_tile<KeyTile>(shared + Shared::k, &p.k, shared + Shared::k_full, work.first_key,
                             work.kv_head);
  hopper::RingPosition<Traits::q_stages> q;
  hopper::RingPosition<Traits::do_stages> d_o;
  Visit<Traits> visit(p, work);
#pragma unroll 1
  for (int step = 0; step < work.steps; ++step) {
    const int row = visit.tile * Traits::block_m;
    const std::int64_t padded_row =
        (std::int64_t{visit.query_head} * p.query_tiles + visit.tile) * Traits::block_m;

    const std::uint32_t q_full = shared + Shared::q_full + 8 * q.stage;
    ptx::mbarrier_wait(shared + Shared::q_empty + 8 * q.stage, q.producer_parity());
    ptx::mbarrier_arrive_expect_bytes(q_full, QueryTile::bytes);
    hopper::load_tile<QueryTile>(shared + Shared::q + q.stage * QueryTile::bytes, &p.q, q_full, row,
                                 visit.query_head);
    q.advance();
    if (step == 0) {
      ptx::mbarrier_arrive_expect_bytes(shared + Shared::v_full, KeyTile::bytes);
      hopper::load_tile<KeyTile>(shared + Shared::v, &p.v, shared + Shared::v_full, work.first_key,
                                 work.kv_head);
    }

    const std::uint32_t do_full = shared + Shared::do_full + 8 * d_o.stage;
    ptx::mbarrier_wait(shared + Shared::do_empty + 8 * d_o.stage, d_o.producer_parity());
    ptx::mbarrier_arrive_expect_bytes(do_full, QueryTile::bytes + Shared::row_terms_bytes);
    hopper::load_tile<QueryTile>(shared + Shared::d_o + d_o.stage * QueryTile::bytes, &p.d_o,
                                 do_full, row, visit.query_head);
    const std::uint32_t row_terms =
        shared + Shared::row_terms + d_o.stage * Shared::row_terms_bytes;
    ptx::bulk_load(row_terms, p.rows.negative_lse + padded_row, Shared::row_bytes, do_full);
    ptx::bulk_load(row_terms + Shared::row_bytes, p.rows.delta + padded_row, Shared::row_bytes,
                   do_full);
    d_o.advance();
    visit.advance(p, work);
  }
}

}  // namespace ridgepoint::kernels::hopper_backward
