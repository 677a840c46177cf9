// A consumer warpgroup: 64 query rows of every tile.
//
// One step issues the scores of the next key tile, S = Q K^T, and behind them the output product of
// the present one, O += P V; while the tensor cores work through the second, the softmax of the
// first runs. While a warpgroup is in its softmax, the products belong to the others: they take
// turns on named barriers (FlashAttention-3, arXiv 2407.08608, sections 3.1 and 3.2). The turn
// passes when the scores are done, so that nobody's scores compete with those that a softmax waits
// for.
//
// What may be touched when:
//   after wgmma_wait<1>   S (the scores are done; P and O still belong to the tensor cores)
//   after wgmma_wait<0>   P and O
// Rescaling O by exp(old max - new max) therefore comes after the output product of the old
// maximum, as it must.
#pragma once

#include "kernels/attention/hopper/pipeline.cuh"
#include "kernels/attention/hopper/softmax.cuh"
#include "kernels/attention/hopper/traits.cuh"
#include "kernels/attention/hopper/work.cuh"
#include "kernels/ptx/wgmma.cuh"

namespace ridgepoint::kernels::hopper {

// Named barriers: 0 is __syncthreads; 1 to 4 whose turn it is; 5 to 8 the threads of one warpgroup.
constexpr int turn_barrier = 1;
constexpr int warpgroup_barrier = 5;

// Warpgroup g waits on barrier 1+g, which completes with its own 128 threads and the 128 of its
// predecessor. Every warpgroup makes the same number of steps in a tile, so the calls pair up over
// all tiles; the last warpgroup's first arrival (`start`) opens the ring.
template <class Traits>
struct Turn {
  int mine;
  int next;

  __device__ __forceinline__ explicit Turn(int consumer)
      : mine(turn_barrier + consumer), next(turn_barrier + (consumer + 1) % Traits::consumers) {}
  __device__ __forceinline__ void start() const {
    if (Traits::ping_pong && next == turn_barrier) {
      pass();
    }
  }
  __device__ __forceinline__ void wait() const {
    if constexpr (Traits::ping_pong) {
      ptx::barrier_sync(mine, 2 * ptx::warpgroup_threads);
    }
  }
  __device__ __forceinline__ void pass() const {
    if constexpr (Traits::ping_pong) {
      ptx::barrier_arrive(next, 2 * ptx::warpgroup_threads);
    }
  }
};

template <class Traits>
struct Consumer {
  using Shared = SharedLayout<Traits>;
  using Element = typename Traits::Element;
  using KvTile = typename Traits::KvTile;
  static constexpr int score_count = Traits::block_n / 2;
  static constexpr int output_count = Traits::head_dim / 2;

  std::uint32_t shared;
  Turn<Traits> turn;
  int warpgroup_row;  // first row of this warpgroup in the tile
  RingPosition<Traits::kv_stages> k;
  RingPosition<Traits::kv_stages> v;

  __device__ __forceinline__ Consumer(std::uint32_t base, int consumer)
      : shared(base), turn(consumer), warpgroup_row(warpgroup_rows * consumer) {}

  // S = Q K^T; issued, not awaited.
  __device__ __forceinline__ void issue_scores(float (&s)[score_count], std::uint64_t q) const {
    const std::uint64_t b = ptx::k_major_descriptor(shared + Shared::k + k.stage * KvTile::bytes);
    ptx::wgmma_fence();
#pragma unroll
    for (int step = 0; step < Traits::head_dim / 16; ++step) {
      ptx::Wgmma<Element, Traits::block_n>::ss(
          s, ptx::advance(q, ptx::k_major_step<Traits::block_m>(step)),
          ptx::advance(b, ptx::k_major_step<Traits::block_n>(step)), step != 0);
    }
    ptx::wgmma_commit();
  }

  // O += P V; issued, not awaited.
  __device__ __forceinline__ void issue_output(float (&o)[output_count],
                                               const std::uint32_t (&p)[score_count / 2]) const {
    const std::uint64_t b =
        ptx::mn_major_descriptor<Traits::block_n>(shared + Shared::v + v.stage * KvTile::bytes);
    ptx::wgmma_fence();
#pragma unroll
    for (int step = 0; step < Traits::block_n / 16; ++step) {
      ptx::Wgmma<Element, Traits::head_dim>::template rs<1>(
          o, &p[4 * step], ptx::advance(b, ptx::mn_major_step(step)), true);
    }
    ptx::wgmma_commit();
  }

  __device__ __forceinline__ void wait_k() const {
    ptx::mbarrier_wait(shared + Shared::k_full + 8 * k.stage, k.parity);
  }
  __device__ __forceinline__ void wait_v() const {
    ptx::mbarrier_wait(shared + Shared::v_full + 8 * v.stage, v.parity);
  }
  // One arrival a warp: its own wgmma_wait says nothing about the other warps' progress.
  __device__ __forceinline__ void release_k() {
    if (ptx::elect_lane()) {
      ptx::mbarrier_arrive(shared + Shared::k_empty + 8 * k.stage);
    }
    k.advance();
  }
  __device__ __forceinline__ void release_v() {
    if (ptx::elect_lane()) {
      ptx::mbarrier_arrive(shared + Shared::v_empty + 8 * v.stage);
    }
    v.advance();
  }

  __device__ __forceinline__ void mask(float (&s)[score_count], const Arguments& p,
                                       const Work<Traits>& work, int step) const {
    const int thread = static_cast<int>(threadIdx.x) % ptx::warpgroup_threads;
    const int row = work.first_row + warpgroup_row + thread / 32 * 16 + thread % 32 / 4;
    const int first_column = step * Traits::block_n + 2 * (thread % 4);
    const int limit[2] = {work.visible_keys(p, row) - first_column,
                          work.visible_keys(p, row + 8) - first_column};
    mask_scores(s, limit);
  }

  template <bool Masked>
  __device__ __forceinline__ void step(const Arguments& p, const Work<Traits>& work, int step,
                                       std::uint64_t q, float scale_log2, float (&s)[score_count],
                                       std::uint32_t (&probabilities)[score_count / 2],
                                       float (&o)[output_count], RowState& state) {
    wait_k();
    turn.wait();
    ptx::hold(s);
    ptx::hold(o);
    ptx::hold(probabilities);
    issue_scores(s, q);
    wait_v();
    issue_output(o, probabilities);
    ptx::wgmma_wait<1>();
    turn.pass();
    ptx::hold(s);
    release_k();
    if constexpr (Masked) {
      mask(s, p, work, step);
    }
    float rescale[2];
    update<Masked>(state, s, rescale, scale_log2);
    ptx::wgmma_wait<0>();
    ptx::hold(o);
    ptx::hold(probabilities);
    release_v();
    pack_probabilities<Element>(s, probabilities);
    rescale_rows(o, rescale);
  }

  // Passes by the last `count` key tiles, of which this warpgroup's rows see nothing: hands their
  // stages back and its turns on, so that the others have the tensor cores to themselves. The first
  // tile that a warpgroup works on takes no turn, so where it works on none the last takes none.
  __device__ __forceinline__ void pass_by(int count, bool all) {
#pragma unroll 1
    for (int left = count; left > 0; --left) {
      wait_k();
      release_k();
      if (left > 1 || !all) {
        turn.wait();
        turn.pass();
      }
      wait_v();
      release_v();
    }
  }

  // Adds up O (unnormalised) and the row state of one tile. Q is in shared memory at `q_tile`.
  // `own_steps` of the tile's steps, the last ones in order of work, are seen by this warpgroup.
  template <class AfterFirstScores>
  __device__ __forceinline__ void accumulate(const Arguments& p, const Work<Traits>& work,
                                             int own_steps, std::uint32_t q_tile,
                                             float (&o)[output_count], RowState& state,
                                             const AfterFirstScores& meanwhile) {
    const float scale_log2 = p.scale * device::log2_e;
    const std::uint64_t q =
        ptx::k_major_descriptor(q_tile + warpgroup_row * ptx::swizzle_row_bytes);
    float s[score_count];
    std::uint32_t probabilities[score_count / 2];

    wait_k();
    ptx::hold(s);
    issue_scores(s, q);
    meanwhile();
    ptx::wgmma_wait<0>();
    ptx::hold(s);
    release_k();
    // Without a causal mask only a last key tile that ends past the last key hides something.
    if (Traits::causal || own_steps * Traits::block_n > p.seqlen_k) {
      mask(s, p, work, own_steps - 1);
    }
    float rescale[2];
    update<true>(state, s, rescale, scale_log2);
    pack_probabilities<Element>(s, probabilities);

    int next = own_steps - 2;
    if constexpr (Traits::causal) {
      const int unmasked = work.visible_keys(p, work.first_row + warpgroup_row) / Traits::block_n;
#pragma unroll 1
      for (; next >= unmasked; --next) {
        step<true>(p, work, next, q, scale_log2, s, probabilities, o, state);
      }
    }
#pragma unroll 1
    for (; next >= 0; --next) {
      step<false>(p, work, next, q, scale_log2, s, probabilities, o, state);
    }

    wait_v();
    ptx::hold(o);
    ptx::hold(probabilities);
    issue_output(o, probabilities);
    ptx::wgmma_wait<0>();
    ptx::hold(o);
    release_v();
  }
};

}  // namespace ridgepoint::kernels::hopper
