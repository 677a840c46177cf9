// The main kernel of portable attention backward (sm_80 and later), by the algorithm of
// FlashAttention-2 (arXiv 2307.08691, algorithm 2): a thread block owns the keys of one block,
// walks the queries that see them, computes S and P again, and adds its part of dQ to global
// memory.
//
// A step, with what the barriers between stand for:
//   barrier: Q and dO of the step have arrived, nobody reads the last step's tiles
//   copy the next Q; S, P, dP, dS; P and dS to shared memory
//   barrier: P and dS are there
//   dV += P^T dO
//   barrier: nobody reads dO
//   copy the next dO; dQ += dS K; dK += dS^T Q
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/device/exponential.cuh"
#include "kernels/attention/fused_backward/dq_tile.cuh"
#include "kernels/attention/fused_backward/products.cuh"

namespace ridgepoint::kernels {
namespace fused_backward {

// What a thread needs of its four query rows: 16*t + 8*r on.
struct Rows {
  float negative_lse[2][2];
  float delta[2][2];
};

template <class Traits>
__device__ __forceinline__ Rows load_rows(const Arguments& p, int head, int tile, int thread) {
  Rows rows;
  const std::int64_t first = (std::int64_t{head} * p.rows.query_tiles + tile) * block_m +
                             Traits::query_row(thread) + thread % 32 / 4;
#pragma unroll
  for (int t = 0; t < 2; ++t) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      rows.negative_lse[t][r] = __ldg(p.rows.negative_lse + first + 16 * t + 8 * r);
      rows.delta[t][r] = __ldg(p.rows.delta + first + 16 * t + 8 * r);
    }
  }
  return rows;
}

// Scores of keys that the row does not see become -inf; `first_column` is this lane's first key.
template <class Traits>
__device__ __forceinline__ void mask_scores(const Arguments& p,
                                            float (&s)[2][Traits::warp_keys / 8][4], int first_row,
                                            int first_column) {
#pragma unroll
  for (int t = 0; t < 2; ++t) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = first_row + 16 * t + 8 * r;
      const int visible =
          p.causal ? min(p.seqlen_k, row + 1 + p.seqlen_k - p.seqlen_q) : p.seqlen_k;
#pragma unroll
      for (int c = 0; c < Traits::warp_keys / 8; ++c) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          float& score = s[t][c][2 * r + e];
          score = first_column + 8 * c + e < visible ? score : -INFINITY;
        }
      }
    }
  }
}

template <class Traits>
__device__ __forceinline__ void exponentiate(float (&s)[2][Traits::warp_keys / 8][4],
                                             const Rows& rows, float scale_log2) {
#pragma unroll
  for (int t = 0; t < 2; ++t) {
#pragma unroll
    for (int c = 0; c < Traits::warp_keys / 8; ++c) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        s[t][c][i] = device::fast_exp2(fmaf(s[t][c][i], scale_log2, rows.negative_lse[t][i / 2]));
      }
    }
  }
}

// P and dS = P * (dP - D) to their tiles.
template <class Traits>
__device__ __forceinline__ void store_operands(unsigned char* p_tile, unsigned char* ds_tile,
                                               const float (&s)[2][Traits::warp_keys / 8][4],
                                               const float (&dp)[2][Traits::warp_keys / 8][4],
                                               const Rows& rows, int thread) {
  using Element = device::Element<typename Traits::Element>;
  const int lane = thread % 32;
#pragma unroll
  for (int t = 0; t < 2; ++t) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = Traits::query_row(thread) + 16 * t + 8 * r + lane / 4;
#pragma unroll
      for (int c = 0; c < Traits::warp_keys / 8; ++c) {
        const int chunk = Traits::quarter(thread) * (Traits::warp_keys / 8) + c;
        const int offset = Traits::ScoreTile::offset(row, chunk) + 4 * (lane % 4);
        const float* const probability = &s[t][c][2 * r];
        const float* const d = &dp[t][c][2 * r];
        *reinterpret_cast<std::uint32_t*>(p_tile + offset) =
            Element::pack(probability[0], probability[1]);
        *reinterpret_cast<std::uint32_t*>(ds_tile + offset) = Element::pack(
            probability[0] * (d[0] - rows.delta[t][r]), probability[1] * (d[1] - rows.delta[t][r]));
      }
    }
  }
}

template <class Traits>
__device__ __forceinline__ void add_dq(float* tile,
                                       const float (&dq)[2][Traits::warp_dq_columns / 8][4],
                                       int thread) {
#pragma unroll
  for (int t = 0; t < 2; ++t) {
#pragma unroll
    for (int c = 0; c < Traits::warp_dq_columns / 8; ++c) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int accumulator = (t * (Traits::warp_dq_columns / 8) + c) * 4 + i;
        atomicAdd(tile + accumulator * threads + thread, dq[t][c][i]);
      }
    }
  }
}

// Rounds dK or dV, stages it at `shared` and writes the rows that exist.
template <class Traits>
__device__ __forceinline__ void write_key_gradient(
    unsigned char* shared, const float (&sum)[Traits::key_tiles][Traits::warp_columns / 8][4],
    float factor, void* out, std::int64_t first_row, int rows, int thread) {
  using T = typename Traits::Element;
  using Tile = typename Traits::KeyTile;
  const int lane = thread % 32;
#pragma unroll
  for (int t = 0; t < Traits::key_tiles; ++t) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = Traits::key_row(thread) + 16 * t + 8 * r + lane / 4;
#pragma unroll
      for (int c = 0; c < Traits::warp_columns / 8; ++c) {
        const int chunk = Traits::half(thread) * (Traits::warp_columns / 8) + c;
        *reinterpret_cast<std::uint32_t*>(shared + Tile::offset(row, chunk) + 4 * (lane % 4)) =
            device::Element<T>::pack(sum[t][c][2 * r] * factor, sum[t][c][2 * r + 1] * factor);
      }
    }
  }
  __syncthreads();
  device::store_rows<Tile, Traits::block_n, threads>(
      shared, 0, static_cast<T*>(out) + first_row * Traits::head_dim, Traits::head_dim, rows,
      Tile::chunks_per_row, thread);
}

}  // namespace fused_backward

template <class Traits>
__global__ void __launch_bounds__(fused_backward::threads, 1)
    fused_attention_backward(const __grid_constant__ fused_backward::Arguments p) {
  using T = typename Traits::Element;
  constexpr int block_m = fused_backward::block_m;
  extern __shared__ __align__(1024) unsigned char shared[];
  const std::uint32_t base = device::shared_address(shared);
  const int thread = static_cast<int>(threadIdx.x);

  // With a causal mask early keys are seen by most queries: the longest thread blocks come first.
  const int key_block = p.causal ? static_cast<int>(blockIdx.x) / p.total_kv_heads
                                 : static_cast<int>(blockIdx.x) % p.key_blocks;
  const int kv_head = p.causal ? static_cast<int>(blockIdx.x) % p.total_kv_heads
                               : static_cast<int>(blockIdx.x) / p.key_blocks;
  const int first_key = key_block * Traits::block_n;
  const int group = p.heads / p.kv_heads;
  const int first_query = p.causal ? max(0, first_key + p.seqlen_q - p.seqlen_k) : 0;
  const int first_tile = first_query / block_m;
  const int tiles_per_head = max(0, p.rows.query_tiles - first_tile);
  const int steps = tiles_per_head * group;
  // Queries from this one on see all keys of the block.
  const int unmasked_query =
      first_key + Traits::block_n > p.seqlen_k
          ? p.rows.query_tiles * block_m
          : (p.causal ? first_key + Traits::block_n - 1 + p.seqlen_q - p.seqlen_k : 0);

  // Row `row` of query head `head` begins step `step`.
  const auto load_queries = [&](const void* tensor, std::uint32_t destination, int head, int tile) {
    const int row = tile * block_m;
    device::load_tile<typename Traits::QueryTile, fused_backward::threads>(
        destination,
        static_cast<const T*>(tensor) + (std::int64_t{head} * p.seqlen_q + row) * Traits::head_dim,
        Traits::head_dim, p.seqlen_q - row, device::reread_thread_index());
  };
  const auto load_keys = [&](const void* tensor, std::uint32_t destination) {
    device::load_tile<typename Traits::KeyTile, fused_backward::threads>(
        destination,
        static_cast<const T*>(tensor) +
            (std::int64_t{kv_head} * p.seqlen_k + first_key) * Traits::head_dim,
        Traits::head_dim, p.seqlen_k - first_key, thread);
  };

  float dk[Traits::key_tiles][Traits::warp_columns / 8][4] = {};
  float dv[Traits::key_tiles][Traits::warp_columns / 8][4] = {};
  int head = kv_head * group;
  int tile = first_tile;
  if (steps > 0) {
    load_keys(p.k, base + Traits::k);
    load_keys(p.v, base + Traits::v);
    load_queries(p.q, base + Traits::q, head, tile);
    load_queries(p.rows.d_o, base + Traits::d_o, head, tile);
    device::commit_copies();
  }
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    const bool wraps = tile + 1 == p.rows.query_tiles;
    const int next_tile = wraps ? first_tile : tile + 1;
    const int next_head = wraps ? head + 1 : head;
    const std::uint32_t q_tile = base + Traits::q + step % 2 * Traits::QueryTile::bytes;
    device::wait_copies<0>();
    __syncthreads();
    if (step + 1 < steps) {
      load_queries(p.q, base + Traits::q + (step + 1) % 2 * Traits::QueryTile::bytes, next_head,
                   next_tile);
      device::commit_copies();
    }
    {
      const fused_backward::Rows rows = fused_backward::load_rows<Traits>(p, head, tile, thread);
      float s[2][Traits::warp_keys / 8][4] = {};
      fused_backward::multiply_scores<Traits>(s, q_tile, base + Traits::k, thread);
      if (tile * block_m < unmasked_query) {
        fused_backward::mask_scores<Traits>(
            p, s, tile * block_m + Traits::query_row(thread) + thread % 32 / 4,
            first_key + Traits::quarter(thread) * Traits::warp_keys + 2 * (thread % 4));
      }
      fused_backward::exponentiate<Traits>(s, rows, p.scale * device::log2_e);
      float dp[2][Traits::warp_keys / 8][4] = {};
      fused_backward::multiply_scores<Traits>(dp, base + Traits::d_o, base + Traits::v, thread);
      fused_backward::store_operands<Traits>(shared + Traits::p, shared + Traits::ds, s, dp, rows,
                                             thread);
    }
    __syncthreads();
    fused_backward::multiply_keys<Traits>(dv, base + Traits::p, base + Traits::d_o, thread);
    __syncthreads();
    if (step + 1 < steps) {
      load_queries(p.rows.d_o, base + Traits::d_o, next_head, next_tile);
      device::commit_copies();
    }
    {
      float dq[2][Traits::warp_dq_columns / 8][4] = {};
      fused_backward::multiply_queries<Traits>(dq, base + Traits::ds, base + Traits::k, thread);
      fused_backward::add_dq<Traits>(
          p.rows.dq_sum + fused_backward::dq_tile_offset<Traits>(p.rows, head, tile), dq, thread);
    }
    fused_backward::multiply_keys<Traits>(dk, base + Traits::ds, q_tile, thread);
    tile = next_tile;
    head = next_head;
  }

  __syncthreads();  // nobody reads K and V: dK and dV are staged there
  const std::int64_t first_row = std::int64_t{kv_head} * p.seqlen_k + first_key;
  fused_backward::write_key_gradient<Traits>(shared + Traits::k, dk, p.scale, p.dk, first_row,
                                             p.seqlen_k - first_key, thread);
  fused_backward::write_key_gradient<Traits>(shared + Traits::v, dv, 1.0F, p.dv, first_row,
                                             p.seqlen_k - first_key, thread);
}

}  // namespace ridgepoint::kernels
