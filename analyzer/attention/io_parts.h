// What the IO models of both directions share: sizes of the pieces, and what the caches make of
// them.
#pragma once

#include "analyzer/attention/flop.h"
#include "analyzer/attention/io_model.h"
#include "analyzer/attention/tile_walk.h"

namespace ridgepoint {

// Shapes and tiles may come from a file: sizes that no tensor and no block has would overflow what
// is made of them.
bool plausible(const AttentionShape& shape);
bool plausible(const KernelTileInfo& tile);

// S, P, dP or dS: one 16-bit element a pair that is stored. Fully masked tiles are not.
inline double matrix_bytes(const AttentionShape& shape, double pairs_a_head) {
  return attention_element_bytes * query_heads(shape) * pairs_a_head;
}
inline double stored_pairs(const AttentionShape& shape, std::int64_t block_m,
                           std::int64_t block_n) {
  return visited_keys(shape, block_m, block_n) * static_cast<double>(shape.seqlen_q) /
         tiles_over(shape.seqlen_q, block_m);
}

// Backward: an element of dQ while it is added up in FP32; -LSE and D of a row, 4 bytes each.
inline constexpr double gradient_sum_bytes = 4;
inline constexpr double row_term_bytes = 8;

inline double query_rows(const AttentionShape& shape) {  // of all heads
  return query_heads(shape) * static_cast<double>(shape.seqlen_q);
}

// Of one row of Q, K, V, O or a gradient.
inline double row_bytes(const AttentionShape& shape) {
  return attention_element_bytes * static_cast<double>(shape.head_dim);
}

// L2 counts what crosses between its partitions on both sides.
inline void add_crossings(KernelIo& io, double first_reads, const IoMachine& machine) {
  io.sm_reads = io.l2.read;
  io.l2.read += machine.l2_crossing_share * first_reads;
  io.l2.write += machine.l2_crossing_share * io.l2.write;
}

// An intermediate that fits the L2 is found there by the kernel that reads it. It is counted as
// written once: sooner or later its dirty lines are evicted.
inline double read_from_hbm(double intermediate_bytes, const IoMachine& machine) {
  return intermediate_bytes <= machine.l2_effective_bytes ? 0 : intermediate_bytes;
}

// S = Q K^T, or dP = dO V^T. A block keeps block_m rows of Q and walks its keys past them in tiles
// of block_n.
KernelIo scores_io(const AttentionShape& shape, const PlannedKernel& kernel,
                   const IoMachine& machine);
// O = P V, or dQ = dS K. A block computes block_m x block_n of O and needs block_m rows of P and
// block_n columns of V whole.
KernelIo output_io(const AttentionShape& shape, const KernelTileInfo& tile,
                   const IoMachine& machine);

// The two kernels of split-KV (split_kv.h): roles "split_attention" and "combine".
KernelIo split_attention_io(const AttentionShape& shape, const PlannedKernel& kernel,
                            const IoMachine& machine);
KernelIo combine_io(const AttentionShape& shape, std::int64_t splits, const IoMachine& machine);

}  // namespace ridgepoint
