// The walk of a thread block over its key tiles, from last to first.
//
// Two stages: K and V of the next tile are copied while the current one is used; one barrier a tile
// both publishes the arrived stage and proves that the other stage is free.
// One stage: V is copied while the scores are computed, the next K while the softmax and the output
// product are; K and V each take a barrier.
#pragma once

#include "kernels/attention/device/online_softmax.cuh"
#include "kernels/attention/fused/products.cuh"
#include "kernels/attention/fused/work.cuh"

namespace ridgepoint::kernels::fused {

template <class Traits>
class KeyWalk {
 public:
  using Output = float[Traits::row_tiles][Traits::head_dim / 8][4];
  using State = device::RowState<Traits::row_tiles>;

  // `shared` holds what Traits describes. At least one tile must be visited.
  __device__ __forceinline__ KeyWalk(const Arguments& p, const Work<Traits>& work,
                                     std::uint32_t shared)
      : p_(p), work_(work), shared_(shared), kv_row_(work.kv_head * p.seqlen_k) {}

  // Adds up O (unnormalised) and the state of its rows. All threads have left shared memory then.
  __device__ __forceinline__ void run(Output& output, State& state) {
    const std::int64_t query_row = work_.query_head * p_.seqlen_q + work_.first_row;
    device::load_tile<typename Traits::QTile, Traits::threads>(
        shared_, static_cast<const Element*>(p_.q) + query_row * Traits::head_dim, Traits::head_dim,
        p_.seqlen_q - work_.first_row, static_cast<int>(threadIdx.x));
    if constexpr (Traits::stages == 2) {
      in_two_stages(output, state);
    } else {
      in_one_stage(output, state);
    }
  }

 private:
  using Element = typename Traits::Element;
  using KvTile = typename Traits::KvTile;
  using Scores = float[Traits::row_tiles][Traits::block_n / 8][4];
  using Probabilities = std::uint32_t[Traits::row_tiles][Traits::block_n / 8][2];

  __device__ __forceinline__ void in_two_stages(Output& output, State& state) {
    load_k(0, work_.tiles - 1, static_cast<int>(threadIdx.x));
    load_v(0, work_.tiles - 1, static_cast<int>(threadIdx.x));
    device::commit_copies();
    device::wait_copies<0>();
    __syncthreads();
    const float scale_log2 = p_.scale * device::log2_e;
    int stage = 0;
#pragma unroll 1
    for (int tile = work_.tiles - 1; tile >= 0; --tile) {
      const int thread = device::reread_thread_index();
      const int lane = thread % 32;
      const int warp_row = thread / 32 * Traits::warp_rows;
      // The barrier that ended the previous step freed the other stage.
      if (tile > 0) {
        load_k(stage ^ 1, tile - 1, thread);
        load_v(stage ^ 1, tile - 1, thread);
        device::commit_copies();
      }
      Scores s;
      scores(s, stage, tile, warp_row, lane);
      Probabilities probabilities;
      device::update<Element>(state, s, probabilities, output, scale_log2);
      output_product<Traits>(output, probabilities, v_tile(stage), lane);
      device::wait_copies<0>();
      __syncthreads();
      stage ^= 1;
    }
  }

  __device__ __forceinline__ void in_one_stage(Output& output, State& state) {
    load_k(0, work_.tiles - 1, static_cast<int>(threadIdx.x));
    device::commit_copies();
    device::wait_copies<0>();
    __syncthreads();
    query_.load(shared_, static_cast<int>(threadIdx.x) / 32 * Traits::warp_rows,
                static_cast<int>(threadIdx.x) % 32);
    const float scale_log2 = p_.scale * device::log2_e;
#pragma unroll 1
    for (int tile = work_.tiles - 1; tile >= 0; --tile) {
      const int thread = device::reread_thread_index();
      const int lane = thread % 32;
      const int warp_row = thread / 32 * Traits::warp_rows;
      device::wait_copies<0>();
      __syncthreads();  // K is there; V is free, and so is the part of Q that is kept
      load_v(0, tile, thread);
      device::commit_copies();
      Scores s;
      scores(s, 0, tile, warp_row, lane);
      device::wait_copies<0>();
      __syncthreads();  // V is there, and K is free
      load_k(0, tile - 1, thread);
      device::commit_copies();
      Probabilities probabilities;
      device::update<Element>(state, s, probabilities, output, scale_log2);
      output_product<Traits>(output, probabilities, v_tile(0), lane);
    }
    device::wait_copies<0>();
    __syncthreads();
  }

  __device__ __forceinline__ void scores(Scores& s, int stage, int tile, int warp_row,
                                         int lane) const {
    score_product<Traits>(s, query_, shared_, warp_row, k_tile(stage), lane);
    if (tile >= work_.unmasked_tiles) {
      device::mask_scores(
          s, [&](int row) { return work_.visible_keys(p_, work_.first_row + warp_row + row); },
          tile * Traits::block_n, lane);
    }
  }

  __device__ __forceinline__ std::uint32_t k_tile(int stage) const {
    return shared_ + Traits::k_offset + stage * Traits::stage_bytes;
  }
  __device__ __forceinline__ std::uint32_t v_tile(int stage) const {
    return shared_ + Traits::v_offset + stage * Traits::stage_bytes;
  }
  __device__ __forceinline__ void load_k(int stage, int tile, int thread) const {
    copy(k_tile(stage), p_.k, tile, thread);
  }
  __device__ __forceinline__ void load_v(int stage, int tile, int thread) const {
    copy(v_tile(stage), p_.v, tile, thread);
  }
  // Of a tile before the first nothing is read.
  __device__ __forceinline__ void copy(std::uint32_t destination, const void* source, int tile,
                                       int thread) const {
    const int first_key = tile * Traits::block_n;
    device::load_tile<KvTile, Traits::threads>(
        destination, static_cast<const Element*>(source) + (kv_row_ + first_key) * Traits::head_dim,
        Traits::head_dim, Traits::stages == 2 || tile >= 0 ? p_.seqlen_k - first_key : 0, thread);
  }

  const Arguments& p_;
  const Work<Traits>& work_;
  std::uint32_t shared_;
  std::int64_t kv_row_;
  QueryOperands<Traits> query_;
};

}  // namespace ridgepoint::kernels::fused
