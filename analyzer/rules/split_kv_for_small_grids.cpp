// Split-KV or not. The line of 80 % of the SMs, and of five key tiles, are those of
// FlashAttention's split heuristic; how many parts, and what they gain, is the occupancy model's
// (analyzer/attention/split_kv.h).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/attention/split_kv.h"
#include "analyzer/core/grouped_digits.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"

namespace ridgepoint {
namespace {

constexpr double fewest_key_tiles = 5;  // below, a split has nothing to divide

// The theoretical roofs: what the split kernel might reach.
SplitKvMachine machine_of(const RuleContext& context, std::size_t index) {
  const auto roof = [&](const std::string& id) {
    const Ceiling* ceiling = context.analysis.ceiling(id);
    return ceiling != nullptr ? ceiling->theoretical.value_or(0) : 0.0;
  };
  return {context.devices[index]->sm_count, roof("hbm"),
          roof("tensor_" + context.analysis.attention->dtype)};
}

// A tile of the split kernel holds the query heads of a group, but no more rows than it needs.
SplitKvTile tile_for(const AttentionShape& shape, const KernelTileInfo& in_use) {
  SplitKvTile tile{16, in_use.block_n};  // M of mma.sync
  const std::int64_t most = std::max<std::int64_t>(tile.block_m, in_use.block_m);
  while (tile.block_m * 2 <= most && static_cast<double>(tile.block_m) < packed_rows(shape)) {
    tile.block_m *= 2;
  }
  return tile;
}

// The shape may come from a file.
bool plausible(const AttentionShape& shape) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  const auto fits = [](std::int64_t size) { return size > 0 && size <= most; };
  return fits(shape.batch) && fits(shape.heads) && fits(shape.kv_heads) && fits(shape.seqlen_q) &&
         fits(shape.seqlen_k) && fits(shape.head_dim);
}

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const auto blocks = static_cast<double>(count(kernel.grid));
  const auto sms = static_cast<double>(context.devices[index]->sm_count);
  const KernelTileInfo& in_use = context.tiles[index];
  if (!context.analysis.attention || !wants_split_kv(context, kernel, index) ||
      in_use.block_n <= 0 || !plausible(*context.analysis.attention)) {
    return std::nullopt;
  }
  const AttentionShape& shape = *context.analysis.attention;
  const SplitKvTile tile = tile_for(shape, in_use);
  const SplitKvMachine machine = machine_of(context, index);
  const double key_tiles = std::floor(packed_keys(shape, tile) / static_cast<double>(tile.block_n));
  const SplitKvEstimate whole = split_kv_estimate(shape, tile, 1, machine);
  const SplitKvEstimate split = best_split_kv(shape, tile, machine);
  // Without a roof the model has no times.
  if (key_tiles < fewest_key_tiles || split.splits < 2 || split.time_s <= 0) {
    return std::nullopt;
  }
  const bool packs = shape.heads > shape.kv_heads;
  Diagnosis d;
  d.title = fmt::format("{}: {:.0f} query tiles for {:.0f} SMs; split the keys in {}",
                        kernel.short_name, blocks, sms, split.splits);
  d.explanation = fmt::format(
      "{} of the SMs get no tile, and each tile walks all {} keys alone. In {} parts there are "
      "{} "
      "blocks, and the IO and occupancy model expects {} at the roofs.",
      percent((sms - blocks) / sms), grouped_count(shape.seqlen_k), grouped_count(split.splits),
      grouped_digits(fmt::format("{:.0f}", split.blocks)), time_text(split.time_s));
  d.evidence = {
      {"blocks", blocks, "1", 0.8 * sms, true},
      {"key tiles of a head", key_tiles, "1", fewest_key_tiles, true},
      {"blocks with split keys", split.blocks, "1", std::nullopt},
      {"bytes of partial results, written and read", 2 * split.partial_bytes, "byte", std::nullopt},
      {"time by the model with split keys", split.time_s, "s", std::nullopt}};
  d.action = fmt::format(
      "Let {} blocks share the keys of each query tile (split-KV), each with its own O and "
      "log-sum-exp, and combine them: O = sum of exp(LSE_i - LSE) O_i.{}",
      split.splits,
      packs ? fmt::format(" Pack the {} query heads of a group into one tile, so that K and V pass "
                          "L2 once for all of them.",
                          shape.heads / shape.kv_heads)
            : "");
  if (kernel.time_s && *kernel.time_s > 0) {
    const double launches = static_cast<double>(std::max<std::int64_t>(1, kernel.launches));
    d.estimated_gain = bounded_gain(1 - split.time_s * launches / *kernel.time_s, 1);
    d.gain_formula =
        "1 - time by the model with split keys / time measured; the model counts the bytes of both "
        "kernels, whole key tiles and whole waves at the theoretical roofs, and no latency";
  } else {
    d.estimated_gain = bounded_gain(1 - split.time_s / whole.time_s, 1);
    d.gain_formula = "1 - time by the model with split keys / the same with one part";
  }
  if (*d.estimated_gain <= 0) {
    return std::nullopt;
  }
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule split_kv_for_small_grids() {
  return {"split_kv_for_small_grids",
          "the grid fills 80 % of the SMs or more, a head has fewer than 5 key tiles, or the model "
          "expects nothing of it",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
