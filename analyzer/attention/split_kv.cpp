#include "analyzer/attention/split_kv.h"

#include <algorithm>
#include <cmath>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/tile_walk.h"

namespace ridgepoint {
namespace {

constexpr double partial_element_bytes = 4;  // O of a part stays in FP32
constexpr double partial_sum_bytes = 8;      // a row's greatest score and sum
constexpr double near_the_least = 1.05;
constexpr std::int64_t most_splits = 128;

double group_of(const AttentionShape& shape) {
  return static_cast<double>(shape.heads) /
         static_cast<double>(std::max<std::int64_t>(1, shape.kv_heads));
}

// What does not depend on the number of parts; counting visited tiles takes time.
struct Walk {
  double tiles_a_head = 0;
  double tiles = 0;      // of all key heads
  double keys = 0;       // that a tile walks
  double key_tiles = 0;  // the same in tiles
};

Walk walk_of(const AttentionShape& shape, const SplitKvTile& tile) {
  Walk walk;
  walk.tiles_a_head = packed_tiles(shape, tile.block_m);
  walk.tiles =
      static_cast<double>(shape.batch) * static_cast<double>(shape.kv_heads) * walk.tiles_a_head;
  walk.keys = packed_keys(shape, tile);
  walk.key_tiles = std::ceil(walk.keys / static_cast<double>(tile.block_n));
  return walk;
}

std::int64_t most_parts(const Walk& walk, const SplitKvMachine& machine) {
  const double parts = std::min(
      {static_cast<double>(most_splits), walk.key_tiles, static_cast<double>(machine.sm_count)});
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(parts));
}

SplitKvEstimate estimate_of(const AttentionShape& shape, const SplitKvTile& tile, const Walk& walk,
                            std::int64_t splits, const SplitKvMachine& machine) {
  const auto d = static_cast<double>(shape.head_dim);
  const auto parts = static_cast<double>(splits);
  const auto sms = static_cast<double>(machine.sm_count);
  SplitKvEstimate estimate;
  estimate.splits = splits;
  estimate.blocks = walk.tiles * parts;
  estimate.waves = estimate.blocks / sms;
  estimate.partial_bytes = partial_bytes(shape, splits);
  // The longest part has whole key tiles, and the busiest SM the most blocks.
  const double keys =
      std::min(walk.keys, std::ceil(walk.key_tiles / parts) * static_cast<double>(tile.block_n));
  const double passed = std::ceil(estimate.waves) * keys;
  if (machine.hbm_bytes_per_s > 0) {
    // The tiles of a head walk its keys together: HBM sends them once for all.
    const double bytes_a_key = 2 * attention_element_bytes * d / walk.tiles_a_head;
    const double rows_bytes =
        2 * query_bytes(shape) + lse_bytes(shape) + 2 * estimate.partial_bytes;
    estimate.time_s = (passed * bytes_a_key * sms + rows_bytes) / machine.hbm_bytes_per_s;
  }
  if (machine.flop_per_s > 0) {
    // Rows of the tile that no query fills are multiplied all the same.
    const double flop_a_key = 4 * d * static_cast<double>(tile.block_m);
    estimate.time_s = std::max(estimate.time_s, passed * flop_a_key * sms / machine.flop_per_s);
  }
  return estimate;
}

SplitKvEstimate best_of(const AttentionShape& shape, const SplitKvTile& tile, const Walk& walk,
                        const SplitKvMachine& machine) {
  const std::int64_t most = most_parts(walk, machine);
  std::vector<SplitKvEstimate> all;
  for (std::int64_t splits = 1; splits <= most; ++splits) {
    all.push_back(estimate_of(shape, tile, walk, splits, machine));
  }
  const auto faster = [](const SplitKvEstimate& a, const SplitKvEstimate& b) {
    return a.time_s < b.time_s;
  };
  const double least_s = std::min_element(all.begin(), all.end(), faster)->time_s;
  return *std::find_if(all.begin(), all.end(), [&](const SplitKvEstimate& one) {
    return one.time_s <= near_the_least * least_s;
  });
}

}  // namespace

double packed_rows(const AttentionShape& shape) {
  return static_cast<double>(shape.seqlen_q) * group_of(shape);
}

double packed_tiles(const AttentionShape& shape, std::int64_t block_m) {
  return std::ceil(packed_rows(shape) / static_cast<double>(block_m));
}

double packed_keys(const AttentionShape& shape, const SplitKvTile& tile) {
  // A tile of packed rows covers this many positions of the sequence.
  const auto positions = static_cast<std::int64_t>(
      std::max(1.0, std::floor(static_cast<double>(tile.block_m) / group_of(shape))));
  return visited_keys(shape, positions, tile.block_n) / tiles_over(shape.seqlen_q, positions);
}

double partial_bytes(const AttentionShape& shape, std::int64_t splits) {
  if (splits < 2) {
    return 0;
  }
  const double rows = query_heads(shape) * static_cast<double>(shape.seqlen_q);
  return static_cast<double>(splits) * rows *
         (partial_element_bytes * static_cast<double>(shape.head_dim) + partial_sum_bytes);
}

SplitKvEstimate split_kv_estimate(const AttentionShape& shape, const SplitKvTile& tile,
                                  std::int64_t splits, const SplitKvMachine& machine) {
  return estimate_of(shape, tile, walk_of(shape, tile), splits, machine);
}

SplitKvEstimate best_split_kv(const AttentionShape& shape, const SplitKvTile& tile,
                              const SplitKvMachine& machine) {
  return best_of(shape, tile, walk_of(shape, tile), machine);
}

std::int64_t kernel_parts(const AttentionShape& shape, const SplitKvTile& tile,
                          std::int64_t sm_count) {
  constexpr double any_bandwidth = 1;
  return best_split_kv(shape, tile, {sm_count, any_bandwidth, 0}).splits;
}

std::int64_t parts_of_grid(const AttentionShape& shape, std::int64_t block_m, std::int64_t blocks) {
  const double one_part = static_cast<double>(shape.batch) * static_cast<double>(shape.kv_heads) *
                          packed_tiles(shape, block_m);
  const double parts = std::floor(static_cast<double>(blocks) / std::max(1.0, one_part));
  // Not a number where a file says that a tile has no rows.
  return parts >= 1 ? static_cast<std::int64_t>(std::min(parts, static_cast<double>(most_splits)))
                    : 1;
}

std::vector<SplitKvEstimate> split_kv_options(const AttentionShape& shape, const SplitKvTile& tile,
                                              const SplitKvMachine& machine) {
  const Walk walk = walk_of(shape, tile);
  const std::int64_t best = best_of(shape, tile, walk, machine).splits;
  const std::int64_t most = std::min(most_parts(walk, machine), 2 * best);
  std::vector<std::int64_t> counts = {best};
  for (std::int64_t splits = 1; splits <= most; splits *= 2) {
    counts.push_back(splits);
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  std::vector<SplitKvEstimate> options;
  for (const std::int64_t splits : counts) {
    options.push_back(estimate_of(shape, tile, walk, splits, machine));
  }
  return options;
}

}  // namespace ridgepoint
