// First naive kernel: S = scale * Q K^T, rounded to 16 bits and written to HBM.
//
// A thread block keeps its Q tile and walks a strip of key tiles: the next K tile is copied while
// the current one is multiplied, and the stores of S drain meanwhile, so that writing S is what
// bounds it.
//
// The scale is applied to the FP32 accumulators, so that Q.K itself may exceed the FP16 range; a
// scaled score beyond 65504 still becomes infinite in FP16, as it does in any pipeline that
// materialises S in FP16.
#pragma once

#include "kernels/attention/device/products.cuh"
#include "kernels/attention/naive/masking.cuh"

namespace ridgepoint::kernels {
namespace naive {

template <typename ElementType, int HeadDim>
struct ScoresTraits {
  using Element = ElementType;
  static constexpr int head_dim = HeadDim;
  static constexpr int block_n = 64;       // keys of one step
  static constexpr int strip_keys = 1024;  // keys of one thread block
  static constexpr int stages = 2;
  static constexpr int threads = 256;
  using QTile = device::SharedTile<block_m, HeadDim>;
  using KTile = device::SharedTile<block_n, HeadDim>;
  using ScoreTile = device::SharedTile<block_m, block_n>;
  static constexpr int smem_bytes = QTile::bytes + stages * KTile::bytes + ScoreTile::bytes;

  // Eight warps as 4 x 2: each has 32 rows by half of the keys.
  static constexpr int warp_keys = block_n / 2;
  static __device__ __forceinline__ int warp_row(int thread) { return thread / 32 % 4 * 32; }
  static __device__ __forceinline__ int warp_key(int thread) { return thread / 128 * warp_keys; }
};

// The warp's part of one tile of Q K^T.
template <class Traits>
__device__ __forceinline__ void multiply_scores(float (&s)[2][Traits::warp_keys / 8][4],
                                                std::uint32_t q_tile, std::uint32_t k_tile,
                                                int thread) {
  const int lane = thread % 32;
  const std::uint32_t q_address = device::a_operand_address(q_tile, Traits::warp_row(thread), lane);
  const std::uint32_t k_address = device::b_operand_address(k_tile, Traits::warp_key(thread), lane);
  device::multiply_by_transposed<typename Traits::Element, typename Traits::QTile,
                                 typename Traits::KTile>(s, q_address, k_address);
}

// Scales, rounds and puts the warp's part into the staging tile, from where it leaves in 16-byte
// stores.
template <class Traits>
__device__ __forceinline__ void stage_scores(unsigned char* tile,
                                             const float (&s)[2][Traits::warp_keys / 8][4],
                                             float scale, int thread) {
  const int lane = thread % 32;
#pragma unroll
  for (int t = 0; t < 2; ++t) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = Traits::warp_row(thread) + 16 * t + 8 * r + lane / 4;
#pragma unroll
      for (int c = 0; c < Traits::warp_keys / 8; ++c) {
        const int chunk = Traits::warp_key(thread) / 8 + c;
        *reinterpret_cast<std::uint32_t*>(tile + Traits::ScoreTile::offset(row, chunk) +
                                          4 * (lane % 4)) =
            device::Element<typename Traits::Element>::pack(s[t][c][2 * r] * scale,
                                                            s[t][c][2 * r + 1] * scale);
      }
    }
  }
}

}  // namespace naive

template <class Traits>
__global__ void __launch_bounds__(Traits::threads, 2) naive_scores(const naive::Arguments p) {
  using T = typename Traits::Element;
  using QTile = typename Traits::QTile;
  using KTile = typename Traits::KTile;
  extern __shared__ __align__(1024) unsigned char shared[];

  const std::int64_t strips = (p.row_stride + Traits::strip_keys - 1) / Traits::strip_keys;
  const std::int64_t index = blockIdx.x;
  const int strip_key = static_cast<int>(index % strips) * Traits::strip_keys;
  const int first_row = static_cast<int>(index / strips % p.query_tiles) * naive::block_m;
  const std::int64_t query_head = index / strips / p.query_tiles;
  // Only tiles that hold a visible key exist.
  const int keys = min(naive::tile_keys(p, first_row) - strip_key, Traits::strip_keys);
  const int tiles = (keys + Traits::block_n - 1) / Traits::block_n;
  if (keys <= 0) {
    return;
  }

  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t query_row = query_head * p.seqlen_q + first_row;
  const T* const k = static_cast<const T*>(p.k) +
                     (naive::kv_head_of(p, query_head) * p.seqlen_k + strip_key) * Traits::head_dim;
  T* const scores = static_cast<T*>(p.scores) + query_row * p.row_stride + strip_key;
  const std::uint32_t q_tile = device::shared_address(shared);
  const std::uint32_t k_tiles = q_tile + QTile::bytes;
  unsigned char* const staging = shared + QTile::bytes + Traits::stages * KTile::bytes;

  const auto load_keys = [&](int tile) {
    const int first = tile * Traits::block_n;
    device::load_tile<KTile, Traits::threads>(
        k_tiles + tile % Traits::stages * KTile::bytes,
        k + static_cast<std::int64_t>(first) * Traits::head_dim, Traits::head_dim,
        p.seqlen_k - strip_key - first, thread);
    device::commit_copies();
  };

  device::load_tile<QTile, Traits::threads>(
      q_tile, static_cast<const T*>(p.q) + query_row * Traits::head_dim, Traits::head_dim,
      p.seqlen_q - first_row, thread);
  load_keys(0);
#pragma unroll 1
  for (int tile = 0; tile < tiles; ++tile) {
    device::wait_copies<0>();
    __syncthreads();  // the keys have arrived, and all have left the other stage and the staging
                      // tile
    if (tile + 1 < tiles) {
      load_keys(tile + 1);
    }
    float s[2][Traits::warp_keys / 8][4] = {};
    naive::multiply_scores<Traits>(s, q_tile, k_tiles + tile % Traits::stages * KTile::bytes,
                                   thread);
    naive::stage_scores<Traits>(staging, s, p.scale, thread);
    __syncthreads();
    const int first = tile * Traits::block_n;
    const std::int64_t chunks_left = (p.row_stride - strip_key - first) / 8;
    device::store_rows<typename Traits::ScoreTile, naive::block_m, Traits::threads>(
        staging, 0, scores + first, p.row_stride, p.seqlen_q - first_row,
        static_cast<int>(min(chunks_left, std::int64_t{Traits::block_n / 8})), thread);
  }
}

}  // namespace ridgepoint::kernels
