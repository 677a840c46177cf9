#include "analyzer/attention/smem_model.h"

#include <algorithm>
#include <cmath>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/smem_parts.h"
#include "analyzer/attention/split_kv.h"
#include "analyzer/attention/tile_walk.h"

namespace ridgepoint {
namespace {

// Four lanes share a row; its maximum takes two shuffles. A warp's 32 lanes hold 8 rows at a time:
// 2 x 128 bytes for 8 rows.
constexpr double row_maximum_bytes = 2 * wavefront_bytes / 8;
constexpr std::int64_t warp_rows = 32;       // query rows of a warp: two mma row tiles
constexpr std::int64_t warpgroup_rows = 64;  // M of wgmma
// The share of Q that is read once for a query tile and not for every key tile. At 64 the compiler
// keeps the fragments in registers: the bytes requested on an H200 have room for one read of Q
// there, and for one a key tile at 128. The kernel for 256 keeps half of them itself
// (kernels/attention/fused/traits.cuh).
double share_of_q_kept(std::int64_t head_dim) {
  return head_dim <= 64 ? 1.0 : head_dim == 256 ? 0.5 : 0.0;
}

struct Extents {
  double m, n, k, d;
  double warps_m, warps_n;
};

Extents extents(const AttentionShape& shape, const KernelTileInfo& tile) {
  const std::int64_t warps = std::max<std::int64_t>(1, tile.threads / 32);
  const std::int64_t warps_m = std::clamp<std::int64_t>(tile.block_m / warp_rows, 1, warps);
  return {static_cast<double>(tile.block_m), static_cast<double>(tile.block_n),
          static_cast<double>(tile.block_k), static_cast<double>(shape.head_dim),
          static_cast<double>(warps_m),      static_cast<double>(warps / warps_m)};
}

IoBytes fused_by_mma(const AttentionShape& shape, const KernelTileInfo& tile) {
  const Extents e = extents(shape, tile);
  const double query_tiles = query_heads(shape) * tiles_over(shape.seqlen_q, tile.block_m);
  const double steps = query_heads(shape) * visited_tiles(shape, tile.block_m, tile.block_n);
  const double q = bytes_of(e.m, e.d);
  const double kv = 2 * bytes_of(e.n, e.d);
  IoBytes io;
  // Every warp has rows of its own, 32 or 16, and reads all keys.
  io.read = steps * (e.warps_m * e.warps_n * kv + row_maximum_bytes * e.m);
  const double kept = share_of_q_kept(shape.head_dim);
  io.read += (kept * query_tiles + (1 - kept) * steps) * q;
  io.write = copied_share * (steps * kv + query_tiles * q);
  add_staging(io, q, query_tiles);
  io.formula =
      "fused: for every key tile, K and V for each warp's rows + Q where registers cannot hold it "
      "+ a quarter of the copies of K and V + the row maxima's shuffles";
  return io;
}

IoBytes fused_by_wgmma(const AttentionShape& shape, const KernelTileInfo& tile) {
  const Extents e = extents(shape, tile);
  // A warpgroup leaves out the key tiles that none of its own rows see.
  const double steps = query_heads(shape) * visited_tiles(shape, warpgroup_rows, tile.block_n);
  const double warpgroups = query_heads(shape) * tiles_over(shape.seqlen_q, warpgroup_rows);
  const double q = bytes_of(warpgroup_rows, e.d);
  IoBytes io;
  io.read = steps * (q + 2 * bytes_of(e.n, e.d) + row_maximum_bytes * warpgroup_rows);
  io.write = warpgroups * q;
  io.formula =
      "fused by wgmma: for every warpgroup of 64 rows and key tile that it sees, Q, K and V + the "
      "row maxima's shuffles; P comes from registers and TMA's copies are not counted";
  return io;
}

// Of the bytes of cp.async, in the decode recording, where 0.05 were counted at head dimension 128;
// in the fused kernel 0.07 to 0.10 there, though its copies look the same. At 64 it is not
// measured.
constexpr double split_copied_share = 1.0 / 16;

// Four warps: with 16 rows each takes a quarter of the keys, with 64 each its own 16 rows and all
// keys. At the end every warp leaves its rows of O in FP32, which are read once.
IoBytes split_attention(const AttentionShape& shape, const PlannedKernel& kernel) {
  constexpr double warp_row_tile = 16;
  const KernelTileInfo& tile = kernel.tile;
  const double m = static_cast<double>(tile.block_m);
  const double warps = static_cast<double>(std::max<std::int64_t>(1, tile.threads / 32));
  const double row_groups = std::max(1.0, std::min(warps, m / warp_row_tile));
  const double tiles = static_cast<double>(shape.batch) * static_cast<double>(shape.kv_heads) *
                       packed_tiles(shape, tile.block_m);
  const SplitKvTile split_tile = {tile.block_m, std::max<std::int64_t>(1, tile.block_n)};
  const double steps =
      tiles * std::ceil(packed_keys(shape, split_tile) / static_cast<double>(split_tile.block_n));
  const double kv =
      2 * bytes_of(static_cast<double>(tile.block_n), static_cast<double>(shape.head_dim));
  const double blocks = tiles * static_cast<double>(std::max<std::int64_t>(1, kernel.splits));
  const double rows_of_all_warps = warp_row_tile * warps;
  IoBytes io;
  io.read = steps * (row_groups * kv + row_maximum_bytes * rows_of_all_warps);
  io.write = split_copied_share * steps * kv;
  // FP32: twice the bytes of 16-bit elements.
  add_staging(io, 2 * bytes_of(rows_of_all_warps, static_cast<double>(shape.head_dim)), blocks);
  io.formula =
      "split attention: for every key tile, K and V for each 16 packed rows + a sixteenth of their "
      "copies + the row maxima's shuffles; for every block, O of all warps in FP32 staged";
  return io;
}

// A warp takes a row: five shuffles for the greatest LSE of its parts.
IoBytes combine(const AttentionShape& shape) {
  IoBytes io;
  io.read = query_heads(shape) * static_cast<double>(shape.seqlen_q) * 5 * wavefront_bytes;
  io.formula = "combine: shuffles of the parts' greatest LSE";
  return io;
}

IoBytes scores(const AttentionShape& shape, const PlannedKernel& kernel) {
  const KernelTileInfo& tile = kernel.tile;
  const Extents e = extents(shape, tile);
  const double steps = query_heads(shape) * visited_tiles(shape, tile.block_m, tile.block_n);
  const double blocks =
      query_heads(shape) * visited_tiles(shape, tile.block_m, keys_a_block(shape, kernel));
  const double q = bytes_of(e.m, e.d);
  const double k = bytes_of(e.n, e.d);
  IoBytes io;
  io.read = steps * (e.warps_n * q + e.warps_m * k);
  io.write = copied_share * (steps * k + blocks * q);
  add_staging(io, bytes_of(e.m, e.n), steps);
  io.formula =
      "scores: for every tile of S, Q and K for each warp's part + a quarter of their copies + S "
      "staged";
  return io;
}

// The rows' maxima and sums: five shuffles a warp, and where several warps share a row one store a
// warp and one look at all warps' results. The counter sees 12.3 wavefronts a warp and reduction
// with 8 warps: 6 for that look.
IoBytes softmax(const AttentionShape& shape, const KernelTileInfo& tile) {
  const double rows = query_heads(shape) * static_cast<double>(shape.seqlen_q);
  const double rows_a_block = static_cast<double>(std::max<std::int64_t>(1, tile.block_m));
  const double warps_a_row = std::max(1.0, static_cast<double>(tile.threads) / 32 / rows_a_block);
  const double look = warps_a_row > 1 ? 0.75 * warps_a_row : 0;
  constexpr double reductions = 2;
  IoBytes io;
  io.read = rows * warps_a_row * reductions * (5 + look) * wavefront_bytes;
  io.write = warps_a_row > 1 ? rows * warps_a_row * reductions * wavefront_bytes : 0;
  io.formula = "softmax: shuffles and exchanges of the rows' maxima and sums";
  if (tile.smem_bytes > 0) {
    // Rows wait in shared memory: copied in once, read for maximum, sum and result.
    const double matrix = attention_element_bytes * query_heads(shape) * visible_pairs(shape);
    io.read += 3 * matrix;
    io.write += copied_share * matrix;
    io.formula += " + a quarter of the copy of S + three reads of it";
  }
  return io;
}

IoBytes output(const AttentionShape& shape, const KernelTileInfo& tile) {
  // block_n runs over the head dimension here, block_k over the keys.
  const Extents e = extents(shape, tile);
  const double column_tiles = query_heads(shape) * tiles_over(shape.head_dim, tile.block_n);
  const double steps = column_tiles * visited_tiles(shape, tile.block_m, tile.block_k);
  const double p = bytes_of(e.m, e.k);
  const double v = bytes_of(e.k, e.n);
  IoBytes io;
  io.read = steps * (e.warps_n * p + e.warps_m * v);
  io.write = copied_share * steps * (p + v);
  add_staging(io, bytes_of(e.m, e.n), column_tiles * tiles_over(shape.seqlen_q, tile.block_m));
  io.formula =
      "output: for every step, P and V for each warp's part + a quarter of their copies + O staged";
  return io;
}

}  // namespace

IoBytes predict_smem(const AttentionShape& shape, const PlannedKernel& kernel) {
  if (kernel.tile.role == "attention") {
    return kernel.path == MatrixPath::wgmma ? fused_by_wgmma(shape, kernel.tile)
                                            : fused_by_mma(shape, kernel.tile);
  }
  if (kernel.tile.role == "scores") {
    return scores(shape, kernel);
  }
  if (kernel.tile.role == "softmax") {
    return softmax(shape, kernel.tile);
  }
  if (kernel.tile.role == "split_attention") {
    return split_attention(shape, kernel);
  }
  if (kernel.tile.role == "combine") {
    return combine(shape);
  }
  return kernel.tile.role == "output" ? output(shape, kernel.tile) : IoBytes();
}

}  // namespace ridgepoint
