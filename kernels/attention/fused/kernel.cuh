// Attention forward in one kernel: FlashAttention-2 (arXiv 2307.08691) on mma.sync, for sm_80 and
// later.
//
// A thread block holds block_m query rows and walks the key tiles from last to first, so that the
// tiles which need a mask come first. K and V of the next tile are copied while the current one is
// used: one barrier a tile both publishes the arrived stage and proves that the other stage is
// free. S and P stay in registers. Q is read and O written once; K and V are read once for every
// block_m query rows, from L2 where they fit there.
#pragma once

#include "kernels/attention/fused/arguments.h"
#include "kernels/attention/fused/epilogue.cuh"
#include "kernels/attention/fused/products.cuh"
#include "kernels/attention/fused/softmax.cuh"
#include "kernels/attention/fused/traits.cuh"

namespace ridgepoint::kernels {
namespace fused {

// Which rows and key tiles a thread block works on.
template <class Traits>
struct Work {
  std::int64_t query_head;  // batch * heads + head
  std::int64_t kv_head;     // batch * kv_heads + head / group
  int first_row;
  int tiles;           // key tiles visited
  int unmasked_tiles;  // of these, the leading ones that need no mask

  __device__ __forceinline__ Work(const Arguments& p, int index) {
    int query_tile = index % p.query_tiles;
    // Causal work grows with the row: longest first, so that short tiles fill the tail.
    query_tile = p.causal ? p.query_tiles - 1 - query_tile : query_tile;
    const int bh = index / p.query_tiles;
    query_head = bh;
    kv_head = static_cast<std::int64_t>(bh / p.heads) * p.kv_heads +
              (bh % p.heads) / (p.heads / p.kv_heads);
    first_row = query_tile * Traits::block_m;
    const int last = p.causal ? visible_keys(p, first_row + Traits::block_m - 1) : p.seqlen_k;
    tiles = (last + Traits::block_n - 1) / Traits::block_n;
    unmasked_tiles = visible_keys(p, first_row) / Traits::block_n;
  }
  // Bottom-right alignment: row i sees keys below i + 1 + seqlen_k - seqlen_q.
  static __device__ __forceinline__ int visible_keys(const Arguments& p, int row) {
    return p.causal ? min(p.seqlen_k, max(0, row + 1 + p.seqlen_k - p.seqlen_q)) : p.seqlen_k;
  }
};

}  // namespace fused

template <class Traits>
__global__ void __launch_bounds__(Traits::threads, Traits::blocks_per_sm)
    fused_attention_forward(const fused::Arguments p) {
  using T = typename Traits::Element;
  using KvTile = typename Traits::KvTile;
  constexpr int head_dim = Traits::head_dim;
  extern __shared__ __align__(1024) unsigned char shared[];

  const fused::Work<Traits> work(p, static_cast<int>(blockIdx.x));
  const int valid_rows = p.seqlen_q - work.first_row;
  const std::int64_t query_row = work.query_head * p.seqlen_q + work.first_row;
  const std::uint32_t q_tile = device::shared_address(shared);
  const std::uint32_t stages = q_tile + Traits::stages_offset;
  const std::int64_t kv_row = work.kv_head * p.seqlen_k;

  float output[Traits::row_tiles][head_dim / 8][4] = {};
  fused::RowState<Traits::row_tiles> state;

  const auto load_stage = [&](int tile, int stage, int thread) {
    const int first_key = tile * Traits::block_n;
    const std::int64_t offset = (kv_row + first_key) * head_dim;
    const std::uint32_t base = stages + stage * Traits::stage_bytes;
    device::load_tile<KvTile, Traits::threads>(base, static_cast<const T*>(p.k) + offset, head_dim,
                                               p.seqlen_k - first_key, thread);
    device::load_tile<KvTile, Traits::threads>(base + KvTile::bytes,
                                               static_cast<const T*>(p.v) + offset, head_dim,
                                               p.seqlen_k - first_key, thread);
  };

  if (work.tiles > 0) {
    device::load_tile<typename Traits::QTile, Traits::threads>(
        q_tile, static_cast<const T*>(p.q) + query_row * head_dim, head_dim, valid_rows,
        static_cast<int>(threadIdx.x));
    fused::QueryOperands<Traits> query;
    if constexpr (Traits::query_in_registers) {
      device::commit_copies();
      device::wait_copies<0>();
      __syncthreads();
      query.load(q_tile, static_cast<int>(threadIdx.x) / 32 * Traits::warp_rows,
                 static_cast<int>(threadIdx.x) % 32);
      __syncthreads();  // the stages overwrite Q
    }
    load_stage(work.tiles - 1, 0, static_cast<int>(threadIdx.x));
    device::commit_copies();
    device::wait_copies<0>();
    __syncthreads();
    const float scale_log2 = p.scale * fused::log2_e;
    int stage = 0;

#pragma unroll 1
    for (int tile = work.tiles - 1; tile >= 0; --tile) {
      const int thread = device::reread_thread_index();
      const int lane = thread % 32;
      const int warp_row = thread / 32 * Traits::warp_rows;
      // The barrier that ended the previous step freed the other stage.
      if (tile > 0) {
        load_stage(tile - 1, stage ^ 1, thread);
        device::commit_copies();
      }
      const std::uint32_t k_tile = stages + stage * Traits::stage_bytes;
      float s[Traits::row_tiles][Traits::block_n / 8][4];
      fused::score_product<Traits>(s, query, q_tile, warp_row, k_tile, lane);
      if (tile >= work.unmasked_tiles) {
        fused::mask_scores(
            s, [&](int row) { return work.visible_keys(p, work.first_row + warp_row + row); },
            tile * Traits::block_n, lane);
      }
      std::uint32_t probabilities[Traits::row_tiles][Traits::block_n / 8][2];
      fused::update<T>(state, s, probabilities, output, scale_log2);
      fused::output_product<Traits>(output, probabilities, k_tile + KvTile::bytes, lane);
      device::wait_copies<0>();
      __syncthreads();
      stage ^= 1;
    }
  }
  const fused::Work<Traits> done(p, device::reread_block_index());
  fused::write_rows<Traits>(p, shared, output, state, done.query_head * p.seqlen_q + done.first_row,
                            p.seqlen_q - done.first_row, device::reread_thread_index());
}

}  // namespace ridgepoint::kernels
