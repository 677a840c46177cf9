#include <fmt/format.h>

#include <algorithm>

#include "analyzer/core/text.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Every query tile reads all keys and values it may see from L2, so its intensity there is about
// block_m FLOP/byte (16-bit elements): the IO model's ceil(Nq / block_m) x (K + V).
constexpr double busy = 0.50;
constexpr double larger = 2;  // the next tile tried

// Q, the streamed K and V stages, in bytes; output staging is taken to reuse them.
std::int64_t smem_of_tile(std::int64_t block_m, const KernelTileInfo& tile, std::int64_t head_dim) {
  constexpr std::int64_t element = 2;
  const std::int64_t stages = std::max<std::int64_t>(1, tile.stages);
  return element * head_dim * (block_m + 2 * stages * tile.block_n);
}

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const KernelTileInfo& tile = context.tiles[index];
  const auto& l2 = kernel.utilisation[MemoryLevel::l2];
  constexpr std::int64_t largest_tile = 1
                                        << 16;  // keeps the arithmetic on a file's values in range
  if (kernel.role != "attention" || !context.analysis.attention || !l2 || *l2 < busy ||
      !kernel.compute_utilisation || *kernel.compute_utilisation >= *l2 || tile.block_m <= 0 ||
      tile.block_m > largest_tile || tile.block_n < 0 || tile.block_n > largest_tile ||
      tile.stages > largest_tile) {
    return std::nullopt;
  }
  const std::int64_t head_dim =
      std::clamp<std::int64_t>(context.analysis.attention->head_dim, 1, largest_tile);
  const std::int64_t needed = smem_of_tile(2 * tile.block_m, tile, head_dim);
  const std::int64_t limit = context.devices[index]->smem_per_block_bytes;
  const double next = std::max({*l2 / larger, *kernel.compute_utilisation,
                                kernel.utilisation[MemoryLevel::hbm].value_or(0),
                                kernel.utilisation[MemoryLevel::smem].value_or(0)});
  Diagnosis d;
  d.title = fmt::format("{}: query tiles of {} rows make L2 busier than the tensor cores",
                        kernel.short_name, tile.block_m);
  d.explanation = fmt::format(
      "Each tile reads all its keys and values, so L2 traffic falls as the tile grows. L2 is {} "
      "busy, compute {}.",
      percent(*l2), percent(*kernel.compute_utilisation));
  d.evidence = {{"L2 utilisation", *l2, "share", busy},
                {"compute utilisation", *kernel.compute_utilisation, "share", *l2},
                {"query rows a tile", static_cast<double>(tile.block_m), "1",
                 static_cast<double>(2 * tile.block_m)}};
  d.action =
      limit <= 0 || needed <= limit
          ? fmt::format(
                "Use {} query rows a block ({} of shared memory), or let two blocks of a "
                "cluster share K "
                "and V by multicast.",
                2 * tile.block_m, memory_size_text(needed))
          : fmt::format(
                "{} query rows would need {} of shared memory of {} a block may use: shorten "
                "the key tile or "
                "its stages first, or let two blocks of a cluster share K and V by multicast.",
                2 * tile.block_m, memory_size_text(needed), memory_size_text(limit));
  d.estimated_gain = bounded_gain(*l2 - next, 1);
  d.gain_formula =
      "L2 utilisation - max(half of it, the next roof's): L2 time saved by tiles twice as tall";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule tile_too_small_for_traffic() {
  return {"tile_too_small_for_traffic",
          "compute or HBM is nearer than L2, or the kernel is not a fused attention",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
