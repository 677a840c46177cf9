// Attention with few queries and many keys, as when a model decodes: one query tile a key head
// cannot fill a GPU, so the keys of each tile are shared out among several blocks. Each part leaves
// its rows of O in FP32 and their greatest scores and sums, and a second kernel combines them
// (Flash-Decoding; FlashAttention-2, arXiv 2307.08691, for the online softmax that makes the parts
// exact).
//
// The query heads of a group are packed into one tile, since they read the same keys: K and V pass
// L2 once a key head and not once a query head.
//
// split_kv_estimate() is an estimate by occupancy, not a bound: each SM is given its even share of
// the HBM bandwidth and of the arithmetic, as when all work. An SM that works beside idle ones can
// do more, up to what its loads in flight allow, so that the estimate for few blocks is a cautious
// one.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/session/session.h"

namespace ridgepoint {

struct SplitKvTile {
  std::int64_t block_m = 0;  // query rows, of all heads of a group
  std::int64_t block_n = 0;  // keys
};

// Roofs of the whole GPU; 0 where one is not known, which leaves it out.
struct SplitKvMachine {
  std::int64_t sm_count = 0;
  double hbm_bytes_per_s = 0;
  double flop_per_s = 0;
};

struct SplitKvEstimate {
  std::int64_t splits = 1;
  double blocks = 0;         // of the attention kernel
  double waves = 0;          // blocks / SMs
  double partial_bytes = 0;  // written and read again; 0 for one part, which writes O itself
  double time_s = 0;         // both kernels; 0 when no roof is known
};

// Query rows that share the keys of one key head: seqlen_q of every head of the group.
double packed_rows(const AttentionShape& shape);
// Tiles over them, of one key head.
double packed_tiles(const AttentionShape& shape, std::int64_t block_m);
// Keys that a tile walks, the mean over the tiles: all of them, fewer under a causal mask.
double packed_keys(const AttentionShape& shape, const SplitKvTile& tile);
// O in FP32, greatest score and sum of every row, once a part; 0 for one part.
double partial_bytes(const AttentionShape& shape, std::int64_t splits);

// The shape, the tile and the machine must be positive, splits at least 1.
SplitKvEstimate split_kv_estimate(const AttentionShape& shape, const SplitKvTile& tile,
                                  std::int64_t splits, const SplitKvMachine& machine);

// The fewest parts whose estimate is within 5 % of the least: more write more partial results and
// make shorter walks for nothing.
SplitKvEstimate best_split_kv(const AttentionShape& shape, const SplitKvTile& tile,
                              const SplitKvMachine& machine);

// The number of parts of the kernel that exists (kernels/attention/split_kv/parts.h): the best one
// by HBM's bytes alone, since these bind a kernel for few queries, whatever the bandwidth.
std::int64_t kernel_parts(const AttentionShape& shape, const SplitKvTile& tile,
                          std::int64_t sm_count);

// How many parts a grid of so many blocks is; 1 for grids that no number of parts makes.
std::int64_t parts_of_grid(const AttentionShape& shape, std::int64_t block_m, std::int64_t blocks);

// One part, the best number, and the powers of two up to twice that, ascending.
std::vector<SplitKvEstimate> split_kv_options(const AttentionShape& shape, const SplitKvTile& tile,
                                              const SplitKvMachine& machine);

}  // namespace ridgepoint
