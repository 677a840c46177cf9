// The walk of a thread block over its part of the keys.
//
// A ring of stages: one barrier a step says both that the step's K and V have arrived for everyone
// and that everyone has left the stage that is filled next. S, P and Q stay in registers.
#pragma once

#include "kernels/attention/device/online_softmax.cuh"
#include "kernels/attention/device/products.cuh"
#include "kernels/attention/split_kv/work.cuh"

namespace ridgepoint::kernels::split_kv {

template <class Traits>
class KeyWalk {
 public:
  using Output = float[1][Traits::head_dim / 8][4];
  using State = device::RowState<1>;

  __device__ __forceinline__ KeyWalk(const Arguments& p, const Work<Traits>& work,
                                     std::uint32_t shared)
      : p_(p),
        work_(work),
        shared_(shared),
        lane_(static_cast<int>(threadIdx.x) % 32),
        warp_row_(static_cast<int>(threadIdx.x) / 32 / Traits::warps_n * 16),
        warp_key_(static_cast<int>(threadIdx.x) / 32 % Traits::warps_n * Traits::warp_keys) {}

  // Adds up this warp's rows of O (unnormalised) over its share of the keys, and their state. All
  // threads have left shared memory then.
  __device__ __forceinline__ void run(Output& output, State& state) {
#pragma unroll
    for (int ahead = 0; ahead < Traits::stages - 1; ++ahead) {
      load(ahead, work_.first_tile + ahead);
    }
    load_query();  // beside the first keys
    const int first_seen = work_.visible_keys(p_, work_.first_row);
    const int row = work_.first_row + warp_row_ + lane_ / 4;
    const int seen[2] = {work_.visible_keys(p_, row), work_.visible_keys(p_, row + 8)};
    const float scale_log2 = p_.scale * device::log2_e;
    int stage = 0;
#pragma unroll 1
    for (int tile = work_.first_tile; tile < work_.end_tile; ++tile) {
      device::wait_copies<Traits::stages - 2>();
      __syncthreads();
      // The stage that everyone left a step ago.
      load((stage + Traits::stages - 1) % Traits::stages, tile + Traits::stages - 1);
      Scores s = {};
      const std::uint32_t keys = shared_ + stage * Traits::stage_bytes;
      scores(s, keys);
      const int first_key = tile * Traits::block_n + warp_key_;
      if (tile * Traits::block_n + Traits::block_n > first_seen) {
        device::mask_scores(
            s, [&](int r) { return r == lane_ / 4 ? seen[0] : seen[1]; }, first_key, lane_);
      }
      std::uint32_t probabilities[1][Traits::warp_keys / 8][2];
      device::update<Element>(state, s, probabilities, output, scale_log2);
      device::multiply_probabilities<Element, KvTile>(
          output, probabilities,
          device::b_transposed_operand_address(keys + KvTile::bytes, 0, lane_) + warp_key_ * 128);
      stage = stage + 1 == Traits::stages ? 0 : stage + 1;
    }
    device::wait_copies<0>();
    __syncthreads();
  }

 private:
  using Element = typename Traits::Element;
  using KvTile = typename Traits::KvTile;
  using Scores = float[1][Traits::warp_keys / 8][4];

  // K and V of a key tile; nothing is read of one past the end.
  __device__ __forceinline__ void load(int stage, int tile) const {
    const int thread = static_cast<int>(threadIdx.x);
    const int first_key = tile * Traits::block_n;
    const int keys = tile < work_.end_tile ? p_.seqlen_k - first_key : 0;
    const std::int64_t offset = (work_.kv_head * p_.seqlen_k + first_key) * Traits::head_dim;
    const std::uint32_t destination = shared_ + stage * Traits::stage_bytes;
    if (keys > 0) {
      device::load_tile<KvTile, Traits::threads>(
          destination, static_cast<const Element*>(p_.k) + offset, Traits::head_dim, keys, thread);
      device::load_tile<KvTile, Traits::threads>(destination + KvTile::bytes,
                                                 static_cast<const Element*>(p_.v) + offset,
                                                 Traits::head_dim, keys, thread);
    }
    device::commit_copies();  // an empty group too: waits count groups
  }

  // The A operands of Q straight from global memory: a tile has few rows, and each is used at every
  // step. Rows that no query fills are zero.
  __device__ __forceinline__ void load_query() {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = warp_row_ + lane_ / 4 + 8 * r;
      const bool valid = row < work_.rows;
      const auto* const source = reinterpret_cast<const std::uint32_t*>(
          static_cast<const Element*>(p_.q) +
          (valid ? work_.query_row(p_, row) : 0) * Traits::head_dim);
#pragma unroll
      for (int k = 0; k < Traits::head_dim / 16; ++k) {
        query_[k][0][r] = valid ? __ldg(source + 8 * k + lane_ % 4) : 0;
        query_[k][0][2 + r] = valid ? __ldg(source + 8 * k + 4 + lane_ % 4) : 0;
      }
    }
  }

  __device__ __forceinline__ void scores(Scores& s, std::uint32_t k_tile) const {
    const std::uint32_t address = device::b_operand_address(k_tile, warp_key_, lane_);
#pragma unroll
    for (int k = 0; k < Traits::head_dim / 16; ++k) {
      const std::uint32_t step = device::step_address<KvTile>(address, k);
#pragma unroll
      for (int pair = 0; pair < Traits::warp_keys / 16; ++pair) {
        std::uint32_t b[4];
        device::load_matrices(b, step + pair * device::step_rows_bytes);
        device::multiply_pair<Element>(s, pair, query_[k], b);
      }
    }
  }

  const Arguments& p_;
  const Work<Traits>& work_;
  std::uint32_t shared_;
  int lane_;
  int warp_row_;  // of the tile
  int warp_key_;  // of the step
  std::uint32_t query_[Traits::head_dim / 16][1][4];
};

}  // namespace ridgepoint::kernels::split_kv
