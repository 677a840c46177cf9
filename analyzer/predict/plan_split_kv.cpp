#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/tile_walk.h"
#include "analyzer/predict/plan.h"
#include "analyzer/predict/split_options.h"

namespace ridgepoint {

VariantPlan plan_split_kv(const AttentionShape& shape, const DeviceInfo& device) {
  VariantPlan plan{split_kv_name,
                   "split-KV for few queries: the keys of each tile of packed query heads shared "
                   "out among thread blocks, and combined by a second kernel (Flash-Decoding)",
                   {},
                   0,
                   {}};
  plan.by_default = false;
  plan.unsupported = portable_unsupported(shape, device);
  if (!plan.unsupported.empty()) {
    return plan;
  }
  const std::int64_t d = shape.head_dim;
  const SplitKvTile tile = split_kv_tile(shape);
  const std::int64_t parts = kernel_parts(shape, tile, device.sm_count);
  const double tiles = static_cast<double>(shape.batch) * static_cast<double>(shape.kv_heads) *
                       packed_tiles(shape, tile.block_m);
  // The line of FlashAttention's split heuristic: above it a split only evens out the last wave.
  constexpr double grid_is_full = 0.8;
  plan.by_default = parts > 1 && tiles < grid_is_full * static_cast<double>(device.sm_count);

  constexpr std::int64_t stages = 3;
  constexpr std::int64_t threads = 128;
  const double blocks = std::min(tiles * static_cast<double>(parts), 1e12);
  PlannedKernel attention{{"split_attention", tile.block_m, tile.block_n, d, stages, threads,
                           2 * d * 2 * stages * tile.block_n},
                          1,
                          MatrixPath::mma_sync,
                          static_cast<std::int64_t>(blocks),
                          parts};
  plan.launches.push_back({"split_kv_attention_forward", attention, 255, attention_flop(shape)});
  if (parts > 1) {
    // A warp combines a row.
    constexpr std::int64_t combine_threads = 256;
    const double rows = query_heads(shape) * static_cast<double>(shape.seqlen_q);
    const double combine_blocks = std::ceil(rows / (combine_threads / 32));
    PlannedKernel combine{{"combine", combine_threads / 32, 0, 0, 1, combine_threads, 0},
                          1,
                          MatrixPath::mma_sync,
                          static_cast<std::int64_t>(std::min(combine_blocks, 1e12)),
                          parts};
    plan.launches.push_back({"split_kv_combine", combine, 255, 0});
    plan.workspace_bytes = partial_bytes(shape, parts);
  }
  return plan;
}

}  // namespace ridgepoint
