#include "analyzer/attention/tile_walk.h"

#include <algorithm>
#include <cmath>

#include "analyzer/attention/flop.h"

namespace ridgepoint {
namespace {

// Past a million tiles the whole tiles at the diagonal no longer matter, and a file must not keep
// us busy.
constexpr double most_walked = 1e6;

// Calls `use` with the keys that the last row of each query tile sees, and the tile's rows.
template <class Use>
void for_each_query_tile(const AttentionShape& shape, std::int64_t block_m, const Use& use) {
  for (std::int64_t row = 0; row < shape.seqlen_q; row += block_m) {
    const std::int64_t last = std::min(row + block_m, shape.seqlen_q) - 1;
    use(std::clamp<std::int64_t>(last + 1 + shape.seqlen_k - shape.seqlen_q, 0, shape.seqlen_k),
        last + 1 - row);
  }
}

bool whole(const AttentionShape& shape, std::int64_t block_m, std::int64_t block_n) {
  return !shape.causal || block_m <= 0 || block_n <= 0;
}

}  // namespace

double tiles_over(std::int64_t extent, std::int64_t tile) {
  return tile > 0 ? std::ceil(static_cast<double>(extent) / static_cast<double>(tile)) : 1;
}

double query_heads(const AttentionShape& shape) {
  return static_cast<double>(shape.batch) * static_cast<double>(shape.heads);
}

double visited_tiles(const AttentionShape& shape, std::int64_t block_m, std::int64_t block_n) {
  const double tiles = tiles_over(shape.seqlen_q, block_m);
  if (whole(shape, block_m, block_n)) {
    return tiles * tiles_over(shape.seqlen_k, block_n);
  }
  if (tiles > most_walked) {
    return visible_pairs(shape) / static_cast<double>(block_m) / static_cast<double>(block_n);
  }
  double visited = 0;
  for_each_query_tile(shape, block_m, [&](std::int64_t seen, std::int64_t) {
    visited += tiles_over(seen, block_n);
  });
  return visited;
}

double visited_queries(const AttentionShape& shape, std::int64_t block_m, std::int64_t block_n) {
  if (whole(shape, block_m, block_n)) {
    return tiles_over(shape.seqlen_k, block_n) * static_cast<double>(shape.seqlen_q);
  }
  if (tiles_over(shape.seqlen_q, block_m) > most_walked) {
    return visible_pairs(shape) / static_cast<double>(block_n);
  }
  double rows_passed = 0;
  for_each_query_tile(shape, block_m, [&](std::int64_t seen, std::int64_t rows) {
    rows_passed += tiles_over(seen, block_n) * static_cast<double>(rows);
  });
  return rows_passed;
}

double visited_keys(const AttentionShape& shape, std::int64_t block_m, std::int64_t block_n) {
  const double tiles = tiles_over(shape.seqlen_q, block_m);
  if (whole(shape, block_m, block_n)) {
    return tiles * static_cast<double>(shape.seqlen_k);
  }
  if (tiles > most_walked) {
    return visible_pairs(shape) / static_cast<double>(block_m);
  }
  double keys = 0;
  for_each_query_tile(shape, block_m, [&](std::int64_t seen, std::int64_t) {
    keys += std::min(static_cast<double>(shape.seqlen_k),
                     tiles_over(seen, block_n) * static_cast<double>(block_n));
  });
  return keys;
}

}  // namespace ridgepoint
