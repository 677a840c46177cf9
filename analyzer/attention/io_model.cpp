#include "analyzer/attention/io_model.h"

#include <algorithm>
#include <cmath>

#include "analyzer/attention/backward_io.h"
#include "analyzer/attention/backward_smem.h"
#include "analyzer/attention/io_parts.h"
#include "analyzer/attention/smem_model.h"

namespace ridgepoint {

bool plausible(const AttentionShape& shape) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  const auto fits = [](std::int64_t size) { return size > 0 && size <= most; };
  return fits(shape.batch) && fits(shape.heads) && fits(shape.kv_heads) && fits(shape.seqlen_q) &&
         fits(shape.seqlen_k) && fits(shape.head_dim);
}

bool plausible(const KernelTileInfo& tile) {
  constexpr std::int64_t most = std::int64_t{1} << 24;  // more than any block has of anything
  const auto fits = [](std::int64_t size) { return size >= 0 && size <= most; };
  return fits(tile.block_m) && fits(tile.block_n) && fits(tile.block_k) && fits(tile.threads);
}

KernelIo scores_io(const AttentionShape& shape, const PlannedKernel& kernel,
                   const IoMachine& machine) {
  const KernelTileInfo& tile = kernel.tile;
  const double scores = matrix_bytes(shape, stored_pairs(shape, tile.block_m, tile.block_n));
  const double keys =
      query_heads(shape) * visited_keys(shape, tile.block_m, tile.block_n) * row_bytes(shape);
  const double blocks_a_row = visited_tiles(shape, tile.block_m, keys_a_block(shape, kernel)) /
                              tiles_over(shape.seqlen_q, tile.block_m);
  KernelIo io;
  io.hbm = {query_bytes(shape) + key_bytes(shape), scores,
            "scores: read Q + K, write S (2 byte a pair)"};
  io.l2 = {std::max(1.0, blocks_a_row) * query_bytes(shape) + keys, scores,
           "scores: Q for every block of keys + K for every query tile, write S"};
  add_crossings(io, io.hbm.read, machine);
  return io;
}

namespace {

// P = softmax(S), one pass: each row is read once and kept on chip between maximum, sum and
// scaling.
KernelIo softmax_io(const AttentionShape& shape, const IoMachine& machine) {
  const double matrix = matrix_bytes(shape, visible_pairs(shape));
  KernelIo io;
  io.hbm = {read_from_hbm(matrix, machine), matrix + lse_bytes(shape),
            "softmax: read S, write P + LSE"};
  io.l2 = {matrix, matrix + lse_bytes(shape), "softmax: read S, write P + LSE"};
  add_crossings(io, matrix, machine);
  return io;
}

}  // namespace

KernelIo output_io(const AttentionShape& shape, const KernelTileInfo& tile,
                   const IoMachine& machine) {
  // block_n runs over the head dimension here, block_k over the keys.
  const double probabilities = matrix_bytes(shape, stored_pairs(shape, tile.block_m, tile.block_k));
  KernelIo io;
  io.hbm = {read_from_hbm(probabilities, machine) + key_bytes(shape), query_bytes(shape),
            "output: read P + V, write O"};
  io.l2 = {
      tiles_over(shape.head_dim, tile.block_n) * probabilities +
          query_heads(shape) * visited_keys(shape, tile.block_m, tile.block_k) * row_bytes(shape),
      query_bytes(shape), "output: P for every tile of d + V for every query tile, write O"};
  add_crossings(io, probabilities + key_bytes(shape), machine);
  return io;
}

namespace {

// How often K and V stream from HBM. Blocks that run at once walk over K in step; while the K and V
// of the heads they work on fit the L2 together, every later block finds them there. When they do
// not fit, every wave of blocks over a head reads them again.
double kv_streams(const AttentionShape& shape, const KernelTileInfo& tile,
                  std::int64_t blocks_per_sm, const IoMachine& machine) {
  const double blocks_a_head = tiles_over(shape.seqlen_q, tile.block_m) *
                               static_cast<double>(shape.heads) /
                               static_cast<double>(std::max<std::int64_t>(1, shape.kv_heads));
  const double resident =
      std::max(1.0, static_cast<double>(machine.sm_count) * static_cast<double>(blocks_per_sm));
  const double all_kv_heads =
      static_cast<double>(shape.batch) * static_cast<double>(shape.kv_heads);
  const double live_heads =
      std::min(all_kv_heads, std::max(1.0, std::ceil(resident / blocks_a_head)));
  const double live_bytes = live_heads * 2 * key_bytes(shape) / std::max(1.0, all_kv_heads);
  return live_bytes <= machine.l2_effective_bytes
             ? 1
             : std::max(1.0, std::ceil(blocks_a_head / resident));
}

// What is read again where query tiles of several heads are handed out longest first, as
// hopper_section_heads says: all tiles of a wave reach back to key 0, so that the K and V of every
// head of the section are live at once. Where they exceed what L2 can hold beside the output that
// waits there to be written, that part of what the next wave reads has gone; as the tiles get
// shorter so does what is live, until it fits.
double read_again_in_sections(const AttentionShape& shape, const KernelTileInfo& tile,
                              std::int64_t blocks_per_sm, const IoMachine& machine) {
  const double heads = static_cast<double>(hopper_section_heads(shape));
  const double group = static_cast<double>(shape.heads) / static_cast<double>(shape.kv_heads);
  const double tiles = heads * tiles_over(shape.seqlen_q, tile.block_m);
  const double resident = std::max(1.0, static_cast<double>(machine.sm_count * blocks_per_sm));
  const double all_kv_heads =
      static_cast<double>(shape.batch) * static_cast<double>(shape.kv_heads);
  const double section_bytes = heads / group * 2 * key_bytes(shape) / all_kv_heads;
  const double room = machine.l2_effective_bytes -
                      machine.l2_unwritten_bytes /
                          static_cast<double>(std::max<std::int64_t>(1, machine.l2_partitions));
  double again = 0;
  double live = section_bytes;
  constexpr double most_waves = 1e4;  // a file must not keep us busy
  for (double wave = 1; wave * resident < tiles && wave < most_waves && live > room; ++wave) {
    const double next = section_bytes * (1 - wave * resident / tiles);
    again += next * (1 - std::max(0.0, room) / live);
    live = next;
  }
  return query_heads(shape) / heads * again;
}

KernelIo fused_io(const AttentionShape& shape, const PlannedKernel& kernel,
                  const IoMachine& machine) {
  const KernelTileInfo& tile = kernel.tile;
  const std::int64_t blocks_per_sm = std::max<std::int64_t>(1, kernel.blocks_per_sm);
  const bool in_sections = shape.causal && kernel.path == MatrixPath::wgmma;
  const double streams = kv_streams(shape, tile, blocks_per_sm, machine);
  KernelIo io;
  const double written = query_bytes(shape) + lse_bytes(shape);
  io.hbm = {query_bytes(shape) + streams * 2 * key_bytes(shape),
            std::max(0.0, written - machine.l2_unwritten_bytes),
            streams > 1
                ? "fused: Q + streams x (K + V) + O + LSE; the live K and V exceed the L2, so each "
                  "wave of blocks streams them again"
                : "fused: Q + K + V + O + LSE; the live K and V fit the L2, so each is read once"};
  const double again =
      in_sections ? read_again_in_sections(shape, tile, blocks_per_sm, machine) : 0;
  if (again > 0) {
    io.hbm.read += again;
    io.hbm.formula +=
        "; the heads of a section exceed what L2 holds beside the output: part of their K and V "
        "again for the next wave of blocks";
  }
  if (machine.l2_unwritten_bytes > 0) {
    io.hbm.formula += "; less the output that is still in L2 at the end";
  }
  io.l2 = {query_bytes(shape) + query_heads(shape) *
                                    visited_keys(shape, tile.block_m, tile.block_n) * 2 *
                                    row_bytes(shape),
           query_bytes(shape) + lse_bytes(shape),
           "fused: Q + O + LSE + (K and V) for every query tile that sees them"};
  add_crossings(io, query_bytes(shape) + 2 * key_bytes(shape), machine);
  return io;
}

void add(IoBytes& sum, const IoBytes& part) {
  sum.read += part.read;
  sum.write += part.write;
  sum.formula += (sum.formula.empty() ? "" : "; ") + part.formula;
}

std::optional<KernelIo> hbm_and_l2(const AttentionShape& shape, const PlannedKernel& kernel,
                                   const IoMachine& machine) {
  const std::string& role = kernel.tile.role;
  if (role == "scores") {
    return scores_io(shape, kernel, machine);
  }
  if (role == "softmax") {
    return softmax_io(shape, machine);
  }
  if (role == "output") {
    return output_io(shape, kernel.tile, machine);
  }
  if (role == "attention") {
    return fused_io(shape, kernel, machine);
  }
  if (role == "split_attention" && kernel.tile.block_m > 0 && kernel.tile.block_n > 0) {
    return split_attention_io(shape, kernel, machine);
  }
  if (role == "combine") {
    return combine_io(shape, kernel.splits, machine);
  }
  return std::nullopt;
}

}  // namespace

std::int64_t hopper_section_heads(const AttentionShape& shape) {
  constexpr double section_bytes = 32.0 * 1024 * 1024;
  const double all_kv_heads =
      static_cast<double>(shape.batch) * static_cast<double>(shape.kv_heads);
  const double kv_heads = std::floor(section_bytes / (2 * key_bytes(shape) / all_kv_heads));
  const double group = std::floor(static_cast<double>(shape.heads) /
                                  static_cast<double>(std::max<std::int64_t>(1, shape.kv_heads)));
  return static_cast<std::int64_t>(
      std::clamp(std::max(1.0, kv_heads) * std::max(1.0, group), 1.0, query_heads(shape)));
}

std::int64_t keys_a_block(const AttentionShape& shape, const PlannedKernel& kernel) {
  const double query_tiles = query_heads(shape) * tiles_over(shape.seqlen_q, kernel.tile.block_m);
  const double strips = std::floor(static_cast<double>(kernel.blocks) / query_tiles);
  if (strips < 1) {
    return kernel.tile.block_n;
  }
  const double keys = std::ceil(static_cast<double>(shape.seqlen_k) / strips);
  return std::max(kernel.tile.block_n, static_cast<std::int64_t>(keys));
}

std::optional<KernelIo> predict_kernel_io(const AttentionShape& shape, const PlannedKernel& kernel,
                                          const IoMachine& machine) {
  if (!plausible(shape) || !plausible(kernel.tile)) {
    return std::nullopt;
  }
  if (shape.direction == "backward") {
    auto io = backward_hbm_and_l2(shape, kernel, machine);
    if (io) {
      io->smem = predict_backward_smem(shape, kernel);
    }
    return io;
  }
  auto io = shape.direction == "forward" ? hbm_and_l2(shape, kernel, machine) : std::nullopt;
  if (io) {
    io->smem = predict_smem(shape, kernel);
  }
  return io;
}

std::optional<KernelIo> predict_variant_io(const AttentionShape& shape,
                                           const std::vector<PlannedKernel>& kernels,
                                           const IoMachine& machine) {
  if (kernels.empty()) {
    return std::nullopt;
  }
  KernelIo sum;
  for (const PlannedKernel& kernel : kernels) {
    const auto part = predict_kernel_io(shape, kernel, machine);
    if (!part) {
      return std::nullopt;
    }
    add(sum.hbm, part->hbm);
    add(sum.l2, part->l2);
    add(sum.smem, part->smem);
    sum.sm_reads += part->sm_reads;
  }
  return sum;
}

}  // namespace ridgepoint
