#include "analyzer/attention/backward_io.h"

#include <algorithm>
#include <cmath>

#include "analyzer/attention/io_parts.h"

namespace ridgepoint {
namespace {

double all_sums_bytes(const AttentionShape& shape) {
  return gradient_sum_bytes * query_rows(shape) * static_cast<double>(shape.head_dim);
}

// D = rowsum(dO * O) and -LSE of every row; zeros for the sums of dQ.
KernelIo rows_io(const AttentionShape& shape, const IoMachine& machine) {
  const double read = 2 * query_bytes(shape) + lse_bytes(shape);
  const double written = all_sums_bytes(shape) + row_term_bytes * query_rows(shape);
  KernelIo io;
  io.hbm = {read, written, "rows: read O + dO + LSE, write -LSE + D + zeros for dQ in FP32"};
  io.l2 = {read, written, io.hbm.formula};
  add_crossings(io, read, machine);
  return io;
}

// How often Q, dO and the sums of dQ stream from HBM (io_model.cpp, kv_streams, with the parts
// exchanged). Blocks of a head run at once, except under a causal mask in the kernel of mma.sync,
// which takes the same keys of all heads together: then every head is live.
double query_streams(const AttentionShape& shape, const PlannedKernel& kernel,
                     const IoMachine& machine) {
  const KernelTileInfo& tile = kernel.tile;
  const double blocks_a_head = tiles_over(shape.seqlen_k, tile.block_n);
  const double resident =
      std::max(1.0, static_cast<double>(machine.sm_count) *
                        static_cast<double>(std::max<std::int64_t>(1, kernel.blocks_per_sm)));
  const double kv_heads = static_cast<double>(shape.batch) * static_cast<double>(shape.kv_heads);
  const bool heads_abreast = shape.causal && kernel.path == MatrixPath::mma_sync;
  const double live_heads = std::min(
      kv_heads, heads_abreast ? resident : std::max(1.0, std::ceil(resident / blocks_a_head)));
  // A key head's blocks walk the query heads of its group one after the other.
  const double bytes_a_head =
      (2 * query_bytes(shape) + all_sums_bytes(shape)) / std::max(1.0, query_heads(shape));
  if (live_heads * bytes_a_head <= machine.l2_effective_bytes) {
    return 1;
  }
  // Blocks of one head that run at once share a pass over its queries, or what the mask leaves.
  const double at_once = std::max(1.0, heads_abreast ? resident / live_heads : resident);
  const double walked = visited_queries(shape, tile.block_m, tile.block_n) /
                        (blocks_a_head * static_cast<double>(shape.seqlen_q));
  return std::max(1.0, std::ceil(blocks_a_head / at_once) * walked);
}

KernelIo gradients_io(const AttentionShape& shape, const PlannedKernel& kernel,
                      const IoMachine& machine) {
  const double streams = query_streams(shape, kernel, machine);
  const double row_terms = row_term_bytes * query_rows(shape);
  const double sums = all_sums_bytes(shape);
  const double passed =
      query_heads(shape) * visited_queries(shape, kernel.tile.block_m, kernel.tile.block_n);
  KernelIo io;
  io.hbm = {2 * key_bytes(shape) + streams * (2 * query_bytes(shape) + row_terms) +
                (streams > 1 ? streams * sums : read_from_hbm(sums, machine)),
            2 * key_bytes(shape) + streams * sums,
            streams > 1 ? "gradients: K + V + dK + dV + streams x (Q + dO + dQ in FP32 both ways); "
                          "the live Q, dO and dQ exceed the L2"
                        : "gradients: K + V + dK + dV + Q + dO + dQ in FP32 both ways; the live Q, "
                          "dO and dQ fit the L2, so each moves once"};
  io.l2 = {2 * key_bytes(shape) + passed * (2 * row_bytes(shape) + row_term_bytes),
           2 * key_bytes(shape) + passed * gradient_sum_bytes * static_cast<double>(shape.head_dim),
           "gradients: K + V + dK + dV + for every key block the Q and dO that see it, and the "
           "addition of dQ in FP32"};
  add_crossings(io, 2 * query_bytes(shape) + 2 * key_bytes(shape), machine);
  return io;
}

KernelIo conversion_io(const AttentionShape& shape, const IoMachine& machine) {
  const double sums = all_sums_bytes(shape);
  KernelIo io;
  io.hbm = {read_from_hbm(sums, machine), query_bytes(shape),
            "conversion: read dQ in FP32, write dQ"};
  io.l2 = {sums, query_bytes(shape), io.hbm.formula};
  add_crossings(io, sums, machine);
  return io;
}

// dS = P * (dP - D), two passes over a row, of which the second finds it in L2.
KernelIo softmax_gradient_io(const AttentionShape& shape, const IoMachine& machine) {
  const double matrix = matrix_bytes(shape, visible_pairs(shape));
  KernelIo io;
  io.hbm = {matrix + read_from_hbm(matrix, machine), matrix,
            "softmax gradient: read P + dP, write dS"};
  io.l2 = {2 * 2 * matrix, matrix, "softmax gradient: read P + dP twice, write dS"};
  add_crossings(io, 2 * matrix, machine);
  return io;
}

// dV = P^T dO or dK = dS^T Q: a block of keys reads its columns of the matrix once.
KernelIo key_gradient_io(const AttentionShape& shape, const KernelTileInfo& tile, bool of_values,
                         const IoMachine& machine) {
  const double matrix = matrix_bytes(shape, stored_pairs(shape, tile.block_m, tile.block_n));
  const double queries =
      query_heads(shape) * visited_queries(shape, tile.block_m, tile.block_n) * row_bytes(shape);
  KernelIo io;
  // P was made by the forward pass, long ago.
  io.hbm = {
      (of_values ? matrix : read_from_hbm(matrix, machine)) + query_bytes(shape), key_bytes(shape),
      of_values ? "value gradient: read P + dO, write dV" : "key gradient: read dS + Q, write dK"};
  io.l2 = {matrix + queries, key_bytes(shape),
           of_values ? "value gradient: P + dO for every key block, write dV"
                     : "key gradient: dS + Q for every key block, write dK"};
  add_crossings(io, matrix + query_bytes(shape), machine);
  return io;
}

}  // namespace

std::optional<KernelIo> backward_hbm_and_l2(const AttentionShape& shape,
                                            const PlannedKernel& kernel, const IoMachine& machine) {
  const std::string& role = kernel.tile.role;
  if (role == "rows") {
    return rows_io(shape, machine);
  }
  if (role == "gradients") {
    return gradients_io(shape, kernel, machine);
  }
  if (role == "conversion") {
    return conversion_io(shape, machine);
  }
  if (role == "d_scores") {
    KernelIo io = scores_io(shape, kernel, machine);
    io.hbm.formula = "d_scores: read dO + V, write dP (2 byte a pair)";
    io.l2.formula = "d_scores: dO for every block of keys + V for every query tile, write dP";
    return io;
  }
  if (role == "softmax_gradient") {
    return softmax_gradient_io(shape, machine);
  }
  if (role == "query_gradient") {
    KernelIo io = output_io(shape, kernel.tile, machine);
    io.hbm.formula = "query gradient: read dS + K, write dQ";
    io.l2.formula = "query gradient: dS for every tile of d + K for every query tile, write dQ";
    return io;
  }
  if (role == "value_gradient" || role == "key_gradient") {
    return key_gradient_io(shape, kernel.tile, role == "value_gradient", machine);
  }
  return std::nullopt;
}

}  // namespace ridgepoint
