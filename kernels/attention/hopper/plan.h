// How a problem is cut into query tiles and handed to the persistent thread blocks of a kernel.
#pragma once

#include <cstdint>

#include "kernels/attention/hopper/arguments.h"
#include "kernels/attention/problem.h"

namespace ridgepoint::kernels::hopper {

constexpr std::int64_t query_tiles(const AttentionProblem& p, const TileShape& tile) {
  return (std::int64_t{p.seqlen_q} + tile.block_m - 1) / tile.block_m;
}

constexpr std::int64_t total_tiles(const AttentionProblem& p, const TileShape& tile) {
  return query_tiles(p, tile) * p.batch * p.heads;
}

// Rows that the busiest thread block works on, those past the end of a sequence counted: the time
// of a launch follows them.
constexpr std::int64_t busiest_rows(const AttentionProblem& p, std::int64_t block_m,
                                    std::int64_t processors) {
  const std::int64_t tiles = (p.seqlen_q + block_m - 1) / block_m * std::int64_t{p.batch} * p.heads;
  return (tiles + processors - 1) / processors * block_m;
}

// Whether head dimension 64 takes tiles of 256 rows in place of 192: where these would make the
// busiest block work on an eighth more rows, as at 512 and 1024 queries of many heads. Row for row
// 192 and twice the keys a step are faster, mostly by 2 to 10 % up to 4096 keys and by 10 % and
// more beyond (docs/hopper-attention.md).
constexpr bool wide_tiles(const AttentionProblem& p, std::int64_t processors) {
  return p.head_dim == 64 && !p.causal && p.seqlen_k <= 4096 &&
         9 * busiest_rows(p, 256, processors) <= 8 * busiest_rows(p, 192, processors);
}

// Query heads whose K and V together take 32 MiB, at least one key/value head's: they must stay in
// Hopper's L2 cache of 50 MB or more while the section is worked on, beside Q, O and what the two
// halves of the cache hold twice.
constexpr std::int32_t section_heads(const AttentionProblem& p) {
  constexpr std::int64_t budget_bytes = std::int64_t{32} << 20;
  const std::int64_t kv_head_bytes = std::int64_t{2} * 2 * p.seqlen_k * p.head_dim;
  const std::int64_t kv_heads = kv_head_bytes == 0 ? 1 : budget_bytes / kv_head_bytes;
  const std::int64_t total = std::int64_t{p.batch} * p.heads;
  const std::int64_t heads = (kv_heads < 1 ? 1 : kv_heads) * (p.heads / p.kv_heads);
  return static_cast<std::int32_t>(heads < total ? heads : total);
}

}  // namespace ridgepoint::kernels::hopper
