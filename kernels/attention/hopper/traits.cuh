// The tile shape of one Hopper kernel, its register budget and its shared memory.
//
// Registers (65536 an SM, handed out by warpgroup): the kernel starts with what
// __launch_bounds__(threads, 1) allows, the producer gives back, the consumers take.
//   2 consumers: (24 + 2*240) * 128 = 64512      3 consumers: (32 + 3*160) * 128 = 65536
//   4 consumers: (24 + 4*112) * 128 = 60416, of the 96 * 640 = 61440 that the kernel starts with
// A consumer thread holds O (head_dim/2), S (block_n/2) and P (block_n/4), and about 20 more.
#pragma once

#include "kernels/attention/hopper/choice.cuh"
#include "kernels/ptx/matrix_descriptor.cuh"
#include "kernels/ptx/warpgroup.cuh"

namespace ridgepoint::kernels::hopper {

constexpr int warpgroup_rows = 64;  // query rows of a consumer: M of wgmma

// A tile in the panels that matrix_descriptor.cuh describes.
template <int Rows, int HeadDim>
struct PanelTile {
  static constexpr int panels = HeadDim / 64;
  static constexpr int panel_bytes = Rows * ptx::swizzle_row_bytes;
  static constexpr int bytes = panels * panel_bytes;
  static_assert(panel_bytes % ptx::swizzle_atom_bytes == 0);
};

template <typename ElementType, int HeadDim, bool Causal,
          class TileChoice = Choice<HeadDim, Causal>>
struct Traits {
  using Element = ElementType;
  static constexpr int head_dim = HeadDim;
  static constexpr bool causal = Causal;
  static constexpr int consumers = TileChoice::consumers;  // warpgroups
  static constexpr int block_m = warpgroup_rows * consumers;
  static constexpr int block_n = TileChoice::block_n;
  static constexpr int q_stages = TileChoice::q_stages;
  static constexpr int kv_stages = TileChoice::kv_stages;
  static constexpr bool ping_pong = TileChoice::ping_pong;
  static constexpr int threads = (1 + consumers) * ptx::warpgroup_threads;
  static constexpr int producer_registers = consumers == 3 ? 32 : 24;
  static constexpr int consumer_registers = consumers == 2 ? 240 : consumers == 3 ? 160 : 112;

  using QTile = PanelTile<block_m, HeadDim>;
  using KvTile = PanelTile<block_n, HeadDim>;
};

// Dynamic shared memory from a 1024-byte boundary: Q stages, K stages, V stages, mbarriers, tile
// numbers. O of a tile is staged where its Q was.
template <class Traits>
struct SharedLayout {
  static constexpr int q = 0;
  static constexpr int k = q + Traits::q_stages * Traits::QTile::bytes;
  static constexpr int v = k + Traits::kv_stages * Traits::KvTile::bytes;
  static constexpr int barriers = v + Traits::kv_stages * Traits::KvTile::bytes;
  static constexpr int q_full = barriers;
  static constexpr int q_empty = q_full + 8 * Traits::q_stages;
  static constexpr int k_full = q_empty + 8 * Traits::q_stages;
  static constexpr int k_empty = k_full + 8 * Traits::kv_stages;
  static constexpr int v_full = k_empty + 8 * Traits::kv_stages;
  static constexpr int v_empty = v_full + 8 * Traits::kv_stages;
  static constexpr int tile_numbers = v_empty + 8 * Traits::kv_stages;
  // The base that the driver gives is only 16-byte aligned by contract; one atom pays for the
  // alignment.
  static constexpr int bytes = tile_numbers + 4 * Traits::q_stages + ptx::swizzle_atom_bytes;
  static_assert(bytes <= 227 * 1024, "more shared memory than a Hopper thread block can have");
};

}  // namespace ridgepoint::kernels::hopper
