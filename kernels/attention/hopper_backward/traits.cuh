// The tile shapes of one Hopper backward kernel, its registers and its shared memory.
//
// A thread block has one producer and two consumer warpgroups; a consumer owns 64 of the 128 keys.
// Its registers hold dK and dV (head_dim/2 each), S and dP (block_m/2 each, S of the next query
// tile living beside dQ's 32), and P and dS packed (block_m/4 each):
//   head_dim 128, block_m 64    128 + 32 + 32 + 16 + 16    head_dim 64, block_m 128    64 + 64 + 64
//   + 32 + 32
// of the 240 that (24 + 2*240) * 128 = 64512 registers allow.
#pragma once

#include "kernels/attention/hopper/traits.cuh"
#include "kernels/attention/hopper_backward/arguments.h"

namespace ridgepoint::kernels::hopper_backward {

using hopper::PanelTile;

template <typename ElementType, int HeadDim>
struct Traits {
  using Element = ElementType;
  static constexpr int head_dim = HeadDim;
  static constexpr int block_m = HeadDim == 64 ? 128 : 64;  // queries of a step
  static constexpr int block_n = 128;                       // keys of a thread block
  static constexpr int consumers = 2;
  static constexpr int threads = (1 + consumers) * ptx::warpgroup_threads;
  static constexpr int producer_registers = 24;
  static constexpr int consumer_registers = 240;
  // Q of a step is needed until its dK is done, when Q of the next is in use and that of the one
  // after is wanted; dO is done with earlier.
  static constexpr int q_stages = 3;
  static constexpr int do_stages = 2;

  using QueryTile = PanelTile<block_m, HeadDim>;  // Q or dO
  using KeyTile = PanelTile<block_n, HeadDim>;    // K or V
  using DsTile = PanelTile<block_n, block_m>;     // dS transposed: rows are keys

  // dK += dS^T Q takes dS from registers, or, where the 128 accumulators of S and dP leave too few,
  // from the shared memory that dQ takes it from.
  static constexpr bool dk_from_shared = block_m == 128;

  // The dQ product of a step, block_m x head_dim, is cut in two 64 x 64 pieces, one a consumer: by
  // columns or by rows.
  static constexpr bool dq_by_columns = block_m == 64;
  static_assert(block_m * HeadDim == 2 * 64 * 64);
};

// Dynamic shared memory from a 1024-byte boundary. dS has two stages so that one barrier a step is
// enough: a stage is written again only after the barrier that follows the products that read it.
template <class Traits>
struct SharedLayout {
  static constexpr int row_bytes = Traits::block_m * 4;  // of -LSE or D
  static constexpr int ds_stages = 2;
  static constexpr int dq_piece_bytes = 64 * 64 * 4;

  static constexpr int k = 0;
  static constexpr int v = k + Traits::KeyTile::bytes;
  static constexpr int q = v + Traits::KeyTile::bytes;
  static constexpr int d_o = q + Traits::q_stages * Traits::QueryTile::bytes;
  static constexpr int ds = d_o + Traits::do_stages * Traits::QueryTile::bytes;
  static constexpr int dq = ds + ds_stages * Traits::DsTile::bytes;
  // -LSE and behind it D of the visit, a stage as for dO: one address leads to both.
  static constexpr int row_terms = dq + Traits::consumers * dq_piece_bytes;
  static constexpr int row_terms_bytes = 2 * row_bytes;
  static constexpr int k_full = row_terms + Traits::do_stages * row_terms_bytes;
  static constexpr int v_full = k_full + 8;
  static constexpr int q_full = v_full + 8;
  static constexpr int q_empty = q_full + 8 * Traits::q_stages;
  static constexpr int do_full = q_empty + 8 * Traits::q_stages;
  static constexpr int do_empty = do_full + 8 * Traits::do_stages;
  static constexpr int dq_full = do_empty + 8 * Traits::do_stages;
  static constexpr int dq_empty = dq_full + 8 * Traits::consumers;
  // The base that the driver gives is only 16-byte aligned by contract.
  static constexpr int bytes = dq_empty + 8 * Traits::consumers + ptx::swizzle_atom_bytes;
  static_assert(bytes <= 227 * 1024, "more shared memory than a Hopper thread block can have");
};

}  // namespace ridgepoint::kernels::hopper_backward
