#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/tile_walk.h"
#include "analyzer/predict/plan.h"
#include "analyzer/predict/split_options.h"

namespace ridgepoint {

VariantPlan plan_split_kv(const AttentionShape& shape, const GpuDescription& gpu) {
  VariantPlan plan{split_kv_name, {}, {}, 0, {}};
  plan.by_default = false;
  plan.unsupported = portable_unsupported(shape, gpu.device, {64, 128, 256});
  if (!plan.unsupported.empty()) {
    return plan;
  }
  const std::int64_t d = shape.head_dim;
  const SplitKvTile tile = split_kv_tile(shape);
  const SplitKvEstimate best = best_split_kv(shape, tile, split_kv_machine(shape, gpu));
  // The line of FlashAttention's split heuristic: above it a split only evens out the last wave.
  constexpr double grid_is_full = 0.8;
  plan.by_default = best.splits > 1 && best.waves / static_cast<double>(best.splits) < grid_is_full;
  plan.description = fmt::format(
      "split-KV for few queries: the keys of each tile of packed query heads in {} part{}{}; "
      "modelled, not built",
      best.splits, best.splits == 1 ? "" : "s",
      best.splits == 1 ? "" : ", combined by a second kernel (Flash-Decoding)");

  constexpr std::int64_t stages = 2;
  constexpr std::int64_t threads = 128;
  // A warp holds its rows' O in FP32: up to 32 rows are shared by warps that divide the keys.
  const std::int64_t registers = tile.block_m <= 32 ? 128 : 255;
  PlannedKernel attention{{"split_attention", tile.block_m, tile.block_n, d, stages, threads,
                           2 * d * (tile.block_m + 2 * stages * tile.block_n)},
                          1,
                          MatrixPath::mma_sync,
                          static_cast<std::int64_t>(std::min(best.blocks, 1e12)),
                          best.splits};
  plan.launches.push_back(
      {"split_kv_attention_forward", attention, registers, attention_flop(shape)});
  if (best.splits > 1) {
    // A warp combines a row.
    constexpr std::int64_t combine_threads = 256;
    const double rows = query_heads(shape) * static_cast<double>(shape.seqlen_q);
    const double blocks = std::ceil(rows / (combine_threads / 32));
    PlannedKernel combine{{"combine", combine_threads / 32, 0, 0, 1, combine_threads, 0},
                          1,
                          MatrixPath::mma_sync,
                          static_cast<std::int64_t>(std::min(blocks, 1e12)),
                          best.splits};
    plan.launches.push_back({"split_kv_combine", combine, 64, 0});
    plan.workspace_bytes = best.partial_bytes;
  }
  return plan;
}

}  // namespace ridgepoint
