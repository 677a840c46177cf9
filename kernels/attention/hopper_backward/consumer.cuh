// A consumer warpgroup: 64 keys, against all queries that see them.
//
// All products are of the transposed scores, keys by queries, so that P and dS come out of the
// tensor cores as the A operands of dV += P^T dO and dK += dS^T Q and stay in registers
// (FlashAttention-3, arXiv 2407.08608). Only dS goes through shared memory, to meet the other
// consumer's for dQ = dS K; dQ of a step is handed to a writer, which adds it to global memory.
//
// One step, with the products in the order of issue; those still running at each point in brackets:
//   issue dP = V dO^T          [dK of the step before, dP]
//   P = exp2(S - LSE)          S was issued a step ago
//   wait: dK, dP               []
//   dS = P * (dP - D), store it
//   issue dV += P^T dO, S of the next step    [dV, S]
//   barrier: the other consumer's dS is there
//   wait: dV                   [S]
//   issue dQ = dS K, dK += dS^T Q             [S, dQ, dK]
//   wait: S, dQ; hand dQ over  [dK]
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/device/exponential.cuh"
#include "kernels/attention/hopper/pipeline.cuh"
#include "kernels/attention/hopper_backward/dq_tile.cuh"
#include "kernels/attention/hopper_backward/traits.cuh"
#include "kernels/attention/hopper_backward/work.cuh"
#include "kernels/ptx/tma.cuh"
#include "kernels/ptx/wgmma.cuh"

namespace ridgepoint::kernels::hopper_backward {

// Named barriers: 0 is __syncthreads; 1 both consumers; 2 and 3 the threads of one.
constexpr int consumers_barrier = 1;
constexpr int warpgroup_barrier = 2;

template <class Traits>
struct Consumer {
  using Shared = SharedLayout<Traits>;
  using Element = typename Traits::Element;
  using QueryTile = typename Traits::QueryTile;
  using KeyTile = typename Traits::KeyTile;
  using DsTile = typename Traits::DsTile;
  static constexpr int score_count = Traits::block_m / 2;
  static constexpr int output_count = Traits::head_dim / 2;
  using ScoreProduct = ptx::Wgmma<Element, Traits::block_m>;
  using KeyProduct = ptx::Wgmma<Element, Traits::head_dim>;
  using DqProduct = ptx::Wgmma<Element, 64>;

  std::uint32_t shared;
  int consumer;
  int thread;  // of the warpgroup

  __device__ __forceinline__ Consumer(std::uint32_t shared_base, int index)
      : shared(shared_base),
        consumer(index),
        thread(static_cast<int>(threadIdx.x) % ptx::warpgroup_threads) {}

  // Where this warpgroup's rows begin in K and V.
  __device__ __forceinline__ int own_rows() const { return 64 * consumer * ptx::swizzle_row_bytes; }

  // S^T = K Q^T or dP^T = V dO^T: `keys` is this warpgroup's 64 rows.
  __device__ __forceinline__ void issue_scores(float (&s)[score_count], std::uint32_t keys,
                                               std::uint32_t queries) const {
    const std::uint64_t a = ptx::k_major_descriptor(keys);
    const std::uint64_t b = ptx::k_major_descriptor(queries);
    ptx::wgmma_fence();
#pragma unroll
    for (int k = 0; k < Traits::head_dim / 16; ++k) {
      ScoreProduct::ss(s, ptx::advance(a, ptx::k_major_step<Traits::block_n>(k)),
                       ptx::advance(b, ptx::k_major_step<Traits::block_m>(k)), k > 0);
    }
  }

  // dV += P^T dO or dK += dS^T Q.
  __device__ __forceinline__ void issue_key_gradient(float (&sum)[output_count],
                                                     const std::uint32_t (&a)[score_count / 2],
                                                     std::uint32_t queries) const {
    const std::uint64_t b = ptx::mn_major_descriptor<Traits::block_m>(queries);
    ptx::wgmma_fence();
#pragma unroll
    for (int k = 0; k < Traits::block_m / 16; ++k) {
      KeyProduct::template rs<1>(sum, &a[4 * k], ptx::advance(b, ptx::mn_major_step(k)), true);
    }
  }

  // dK += dS^T Q with dS from where it was stored: these rows are written again two steps later, by
  // this warpgroup.
  __device__ __forceinline__ void issue_dk(float (&dk)[output_count], std::uint32_t ds,
                                           std::uint32_t queries) const {
    const std::uint64_t a = ptx::k_major_descriptor(ds + own_rows());
    const std::uint64_t b = ptx::mn_major_descriptor<Traits::block_m>(queries);
    ptx::wgmma_fence();
#pragma unroll
    for (int k = 0; k < Traits::block_m / 16; ++k) {
      KeyProduct::template ss<1>(dk, ptx::advance(a, ptx::k_major_step<Traits::block_n>(k)),
                                 ptx::advance(b, ptx::mn_major_step(k)), true);
    }
  }

  // This warpgroup's piece of dQ = dS K, over the keys of both.
  __device__ __forceinline__ void issue_dq(float (&dq)[dq_accumulators], std::uint32_t ds) const {
    constexpr bool by_columns = Traits::dq_by_columns;
    const std::uint64_t a = ptx::mn_major_descriptor<Traits::block_n>(
        ds + (by_columns ? 0 : consumer * DsTile::panel_bytes));
    const std::uint64_t b = ptx::mn_major_descriptor<Traits::block_n>(
        shared + Shared::k + (by_columns ? consumer * KeyTile::panel_bytes : 0));
    ptx::wgmma_fence();
#pragma unroll
    for (int k = 0; k < Traits::block_n / 16; ++k) {
      DqProduct::template ss<1, 1>(dq, ptx::advance(a, ptx::mn_major_step(k)),
                                   ptx::advance(b, ptx::mn_major_step(k)), k > 0);
    }
  }

  // Query columns below limit[r] of key row r do not see it.
  __device__ __forceinline__ void mask(const Arguments& p, const Work<Traits>& work, int tile,
                                       float (&s)[score_count]) const {
    int limit[2];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int key = work.first_key + 64 * consumer + thread / 32 * 16 + thread % 32 / 4 + 8 * r;
      // A key that does not exist has a score of 0, whose exponential may be infinite: nobody sees
      // it.
      limit[r] = key < p.seqlen_k
                     ? work.first_query(p, key) - tile * Traits::block_m - 2 * (thread % 4)
                     : Traits::block_m;
    }
#pragma unroll
    for (int i = 0; i < score_count; ++i) {
      s[i] = 8 * (i / 4) + i % 2 >= limit[i / 2 % 2] ? s[i] : -INFINITY;
    }
  }

  __device__ __forceinline__ std::uint32_t row_value_address(std::uint32_t rows, int group) const {
    return rows + 4 * (8 * group + 2 * (thread % 4));
  }

  // Scores to probabilities.
  __device__ __forceinline__ void exponentiate(float (&s)[score_count], std::uint32_t negative_lse,
                                               float scale_log2) const {
#pragma unroll
    for (int group = 0; group < score_count / 4; ++group) {
      const float2 base = ptx::load_shared_pair(row_value_address(negative_lse, group));
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        float* const pair = &s[4 * group + 2 * r];
        pair[0] = device::fast_exp2(fmaf(pair[0], scale_log2, base.x));
        pair[1] = device::fast_exp2(fmaf(pair[1], scale_log2, base.y));
      }
    }
  }

  // P and dS = P * (dP - D), both rounded to operands, and this warpgroup's 64 rows of dS
  // transposed stored into the tile at `ds`.
  __device__ __forceinline__ void differentiate(const float (&probabilities)[score_count],
                                                const float (&dp)[score_count], std::uint32_t delta,
                                                std::uint32_t ds,
                                                std::uint32_t (&packed_p)[score_count / 2],
                                                std::uint32_t (&packed_ds)[score_count / 2]) const {
    // Lanes 8i to 8i+7 address matrix i: rows 8*(i%2) on, chunk i/2 of the pair.
    const int row = 64 * consumer + thread / 32 * 16 + thread % 16;
    const std::uint32_t ds_row = ds + row * ptx::swizzle_row_bytes;
    const auto store = [&](int pair) {
      const int own_chunk = (2 * pair + thread % 32 / 16) % 8 ^ row % 8;
      const std::uint32_t* const four = &packed_ds[4 * pair];
      ptx::store_matrices(ds_row + pair / 4 * DsTile::panel_bytes + own_chunk * 16, four[0],
                          four[1], four[2], four[3]);
    };
#pragma unroll
    for (int group = 0; group < score_count / 4; ++group) {
      const float2 d = ptx::load_shared_pair(row_value_address(delta, group));
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        const int i = 4 * group + 2 * r;
        packed_ds[i / 2] = device::Element<Element>::pack(probabilities[i] * (dp[i] - d.x),
                                                          probabilities[i + 1] * (dp[i + 1] - d.y));
        packed_p[i / 2] = device::Element<Element>::pack(probabilities[i], probabilities[i + 1]);
      }
      // At once where these registers are not wanted again.
      if (Traits::dk_from_shared && group % 2 == 1) {
        store(group / 2);
      }
    }
    if constexpr (!Traits::dk_from_shared) {
#pragma unroll
      for (int pair = 0; pair < score_count / 8; ++pair) {
        store(pair);
      }
    }
  }

  // Hands this warpgroup's piece of dQ to its writer (writer.cuh).
  __device__ __forceinline__ void stage_dq(int step, const float (&dq)[dq_accumulators]) const {
    const std::uint32_t piece = shared + Shared::dq + consumer * Shared::dq_piece_bytes;
    // The phase before the first counts as complete: the piece starts free.
    ptx::mbarrier_wait(shared + Shared::dq_empty + 8 * consumer, (step + 1) % 2);
#pragma unroll
    for (int quad = 0; quad < dq_accumulators / 4; ++quad) {
      ptx::store_shared(piece + dq_quad_bytes(quad, thread), dq[4 * quad], dq[4 * quad + 1],
                        dq[4 * quad + 2], dq[4 * quad + 3]);
    }
    ptx::fence_async_proxy();
    ptx::mbarrier_arrive(shared + Shared::dq_full + 8 * consumer);
  }

  // A stage that only wgmma reads: once its products are done, one lane speaks for the warp.
  __device__ __forceinline__ void release_operand(std::uint32_t barrier) const {
    if (ptx::elect_lane()) {
      ptx::mbarrier_arrive(barrier);
    }
  }

  // What a step reads and writes: in registers, once inlined.
  struct State {
    float s[score_count];  // of the visit, issued by the step before
    float dp[score_count];
    float dq[dq_accumulators];
    std::uint32_t packed_p[score_count / 2];
    std::uint32_t packed_ds[score_count / 2];
    hopper::RingPosition<Traits::q_stages> q;
  };

  template <bool Last>
  __device__ __forceinline__ void step(const Arguments& p, const Work<Traits>& work, int tile,
                                       int step, bool masked, float scale_log2, State& a,
                                       float (&dk)[output_count], float (&dv)[output_count]) const {
    const std::uint32_t q_tile = shared + Shared::q + a.q.stage * QueryTile::bytes;
    // The rings of dO and dS have two stages, so the step's number is the position in both.
    const int parity_stage = step % 2;
    const std::uint32_t do_tile = shared + Shared::d_o + parity_stage * QueryTile::bytes;
    const std::uint32_t ds_tile = shared + Shared::ds + parity_stage * DsTile::bytes;
    const std::uint32_t row_terms =
        shared + Shared::row_terms + parity_stage * Shared::row_terms_bytes;

    ptx::mbarrier_wait(shared + Shared::do_full + 8 * parity_stage, step / 2 % 2);
    ptx::hold(a.dp);
    issue_scores(a.dp, shared + Shared::v + own_rows(), do_tile);
    ptx::wgmma_commit();
    if (masked) {
      mask(p, work, tile, a.s);
    }
    exponentiate(a.s, row_terms, scale_log2);
    ptx::wgmma_wait<1>();
    ptx::hold(dk);
    if constexpr (!Traits::dk_from_shared) {
      ptx::hold(a.packed_ds);
    }
    if (step > 0) {
      const int previous = a.q.stage == 0 ? Traits::q_stages - 1 : a.q.stage - 1;
      release_operand(shared + Shared::q_empty + 8 * previous);
    }
    ptx::wgmma_wait<0>();
    ptx::hold(a.dp);
    differentiate(a.s, a.dp, row_terms + Shared::row_bytes, ds_tile, a.packed_p, a.packed_ds);
    ptx::fence_async_proxy();

    ptx::hold(a.packed_p);
    ptx::hold(dv);
    issue_key_gradient(dv, a.packed_p, do_tile);
    ptx::wgmma_commit();
    if constexpr (!Last) {
      a.q.advance();
      ptx::mbarrier_wait(shared + Shared::q_full + 8 * a.q.stage, a.q.parity);
      ptx::hold(a.s);
      issue_scores(a.s, shared + Shared::k + own_rows(),
                   shared + Shared::q + a.q.stage * QueryTile::bytes);
      ptx::wgmma_commit();
    }
    ptx::barrier_sync(consumers_barrier, Traits::consumers * ptx::warpgroup_threads);
    ptx::wgmma_wait<Last ? 0 : 1>();
    ptx::hold(dv);
    ptx::hold(a.packed_p);
    // Every thread for itself: each has read -LSE and D with ordinary loads, and an arrival orders
    // only its own thread's accesses against the copy that refills the stage.
    ptx::mbarrier_arrive(shared + Shared::do_empty + 8 * parity_stage);

    ptx::hold(a.dq);
    issue_dq(a.dq, ds_tile);
    ptx::wgmma_commit();
    ptx::hold(dk);
    if constexpr (Traits::dk_from_shared) {
      issue_dk(dk, ds_tile, q_tile);
    } else {
      ptx::hold(a.packed_ds);
      issue_key_gradient(dk, a.packed_ds, q_tile);
    }
    ptx::wgmma_commit();
    ptx::wgmma_wait<1>();
    ptx::hold(a.s);
    ptx::hold(a.dq);
    stage_dq(step, a.dq);
  }

  // Sums dK (without the softmax scale) and dV of this warpgroup's keys.
  __device__ __forceinline__ void accumulate(const Arguments& p, const Work<Traits>& work,
                                             float (&dk)[output_count],
                                             float (&dv)[output_count]) const {
    const float scale_log2 = p.scale * device::log2_e;
    // Visits from this query on need no mask.
    const int unmasked_query = work.first_key + Traits::block_n > p.seqlen_k
                                   ? p.query_tiles * Traits::block_m
                                   : work.first_query(p, work.first_key + Traits::block_n - 1);
    // Of the visit where there is a causal mask; without one no mask depends on the tile.
    int tile = work.first_tile;
    State state;

    ptx::mbarrier_wait(shared + Shared::k_full, 0);
    ptx::mbarrier_wait(shared + Shared::q_full, 0);
    ptx::hold(state.s);
    issue_scores(state.s, shared + Shared::k + own_rows(), shared + Shared::q);
    ptx::wgmma_commit();
    ptx::wgmma_wait<0>();
    ptx::hold(state.s);
    ptx::mbarrier_wait(shared + Shared::v_full, 0);

    int index = 0;
#pragma unroll 1
    for (; index + 1 < work.steps; ++index) {
      step<false>(p, work, tile, index, tile * Traits::block_m < unmasked_query, scale_log2, state,
                  dk, dv);
      ++tile;
      if (tile == p.query_tiles) {
        tile = work.first_tile;
      }
    }
    step<true>(p, work, tile, index, tile * Traits::block_m < unmasked_query, scale_log2, state, dk,
               dv);
    ptx::wgmma_wait<0>();
    ptx::hold(dk);
  }
};

}  // namespace ridgepoint::kernels::hopper_backward
