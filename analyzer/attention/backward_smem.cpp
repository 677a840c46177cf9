#include "analyzer/attention/backward_smem.h"

#include <algorithm>

#include "analyzer/attention/smem_model.h"
#include "analyzer/attention/smem_parts.h"
#include "analyzer/attention/tile_walk.h"

namespace ridgepoint {
namespace {

struct Walk {
  double m, n, d;
  double steps;   // (query tile, key block) pairs, all heads
  double blocks;  // of keys, all key heads
};

Walk walk_of(const AttentionShape& shape, const KernelTileInfo& tile) {
  const double kv_heads = static_cast<double>(shape.batch) * static_cast<double>(shape.kv_heads);
  return {static_cast<double>(tile.block_m), static_cast<double>(tile.block_n),
          static_cast<double>(shape.head_dim),
          query_heads(shape) * visited_tiles(shape, tile.block_m, tile.block_n),
          kv_heads * tiles_over(shape.seqlen_k, tile.block_n)};
}

// Two consumer warpgroups of 64 keys. wgmma reads A of its 64 rows and all of B.
IoBytes gradients_by_wgmma(const AttentionShape& shape, const KernelTileInfo& tile) {
  const Walk w = walk_of(shape, tile);
  constexpr double consumers = 2;
  constexpr double warps = 8;
  const double queries = consumers * bytes_of(w.m, w.d);  // Q or dO as B, for each warpgroup
  const double keys = bytes_of(w.n, w.d);                 // K or V as A, the rows of both
  const double d_scores = bytes_of(w.n, w.m);
  // Where a step has 128 queries, dK takes dS from shared memory too.
  const double ds_for_dk = w.m > 64 ? d_scores : 0;
  // Each consumer has a 64 x 64 piece of dQ = dS K, summed over all keys.
  const double d_query = consumers * 2 * bytes_of(64, w.n);
  // -LSE and D: a warp's lanes read 8 queries' values in one wavefront.
  const double row_terms = 2 * warps * (w.m / 8) * wavefront_bytes;
  IoBytes io;
  io.read = w.steps * (4 * queries + 2 * keys + ds_for_dk + d_query + row_terms);
  io.write = w.steps * (d_scores + 4 * w.m * w.d) + w.blocks * 2 * bytes_of(w.n, w.d);
  io.formula =
      "gradients by wgmma: for every step, Q and dO twice for each warpgroup, K and V once, dS "
      "and K for dQ, -LSE and D; dS and dQ in FP32 written; TMA's copies are not counted";
  return io;
}

// Eight warps: 32 queries by a quarter of the keys for S and dP, a quarter of the keys by half of d
// for dV and dK, 32 queries by a quarter of d for dQ.
IoBytes gradients_by_mma(const AttentionShape& shape, const KernelTileInfo& tile) {
  const Walk w = walk_of(shape, tile);
  const double scores = 4 * bytes_of(w.m, w.d) + 2 * bytes_of(w.n, w.d);        // S or dP
  const double key_gradient = 2 * bytes_of(w.m, w.n) + 4 * bytes_of(w.m, w.d);  // dV or dK
  const double query_gradient = 4 * bytes_of(w.m, w.n) + 2 * bytes_of(w.n, w.d);
  const double copied = copied_share * 2 * bytes_of(w.m, w.d);
  IoBytes io;
  io.read = w.steps * (2 * scores + 2 * key_gradient + query_gradient);
  io.write = w.steps * (2 * bytes_of(w.m, w.n) + copied) +
             w.blocks * copied_share * 2 * bytes_of(w.n, w.d);
  add_staging(io, 2 * bytes_of(w.n, w.d), w.blocks);
  io.formula =
      "gradients: for every step, the operands of the five products for each warp's part + P and "
      "dS written + a quarter of the copies of Q and dO";
  return io;
}

// A row's 16-byte parts are summed by shuffles, log2 of the lanes that share it.
IoBytes rows(const AttentionShape& shape) {
  const double lanes = static_cast<double>(shape.head_dim) / 8;
  const double shuffles = shape.head_dim > 64 ? 4 : 3;
  IoBytes io;
  io.read = query_heads(shape) * static_cast<double>(shape.seqlen_q) * shuffles * wavefront_bytes *
            lanes / 32;
  io.formula = "rows: shuffles of the sums";
  return io;
}

IoBytes conversion(const AttentionShape& shape) {
  IoBytes io;
  add_staging(io, query_bytes(shape), 1);
  io.formula = "conversion: dQ staged";
  return io;
}

// Two reductions' worth of the naive softmax's model is one here: D alone.
IoBytes softmax_gradient(const AttentionShape& shape) {
  const double all_rows = query_heads(shape) * static_cast<double>(shape.seqlen_q);
  // Up to 1,024 keys a warp takes a row; else eight do (naive_backward/instance.cuh).
  const double warps = shape.seqlen_k <= 1024 ? 1 : 8;
  const double look = warps > 1 ? 0.75 * warps : 0;
  IoBytes io;
  io.read = all_rows * warps * (5 + look) * wavefront_bytes;
  io.write = warps > 1 ? all_rows * warps * wavefront_bytes : 0;
  io.formula = "softmax gradient: shuffles and exchanges of D";
  return io;
}

// Eight warps as 4 x 2: a quarter of the keys by half of d.
IoBytes key_gradient(const AttentionShape& shape, const KernelTileInfo& tile, bool of_values) {
  const Walk w = walk_of(shape, tile);
  IoBytes io;
  io.read = w.steps * (2 * bytes_of(w.m, w.n) + 4 * bytes_of(w.m, w.d));
  io.write = copied_share * w.steps * (bytes_of(w.m, w.n) + bytes_of(w.m, w.d));
  add_staging(io, bytes_of(w.n, w.d), w.blocks);
  io.formula = of_values ? "value gradient: for every step, P and dO for each warp's part + a "
                           "quarter of their copies + dV staged"
                         : "key gradient: for every step, dS and Q for each warp's part + a "
                           "quarter of their copies + dK staged";
  return io;
}

// The forward kernel that works here on other operands.
IoBytes as_forward(const AttentionShape& shape, const PlannedKernel& kernel, const char* role,
                   const char* formula) {
  PlannedKernel same = kernel;
  same.tile.role = role;
  IoBytes io = predict_smem(shape, same);
  io.formula = formula;
  return io;
}

}  // namespace

IoBytes predict_backward_smem(const AttentionShape& shape, const PlannedKernel& kernel) {
  const std::string& role = kernel.tile.role;
  if (role == "gradients") {
    return kernel.path == MatrixPath::wgmma ? gradients_by_wgmma(shape, kernel.tile)
                                            : gradients_by_mma(shape, kernel.tile);
  }
  if (role == "rows") {
    return rows(shape);
  }
  if (role == "conversion") {
    return conversion(shape);
  }
  if (role == "softmax_gradient") {
    return softmax_gradient(shape);
  }
  if (role == "value_gradient" || role == "key_gradient") {
    return key_gradient(shape, kernel.tile, role == "value_gradient");
  }
  if (role == "d_scores") {
    return as_forward(shape, kernel, "scores",
                      "d_scores: for every tile of dP, dO and V for each warp's part + a quarter "
                      "of their copies + dP staged");
  }
  if (role == "query_gradient") {
    return as_forward(shape, kernel, "output",
                      "query gradient: for every step, dS and K for each warp's part + a quarter "
                      "of their copies + dQ staged");
  }
  return IoBytes();
}

}  // namespace ridgepoint
