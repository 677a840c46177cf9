// In how many parts the keys are shared out.
//
// A GPU that waits for HBM is fastest when every multiprocessor has the same number of keys to
// read. With t tiles of rows, k key tiles in each and s parts, the busiest of P multiprocessors has
// ceil(t s / P) thread blocks, each of ceil(k / s) key tiles; the partial results cost their bytes
// twice. The fewest parts within 5 % of the least are taken: more make shorter walks for nothing.
// analyzer/attention/split_kv.h has the same rule for GPUs that are not at hand; a test holds one
// against the other (tests/analyzer/predict/plan_test.cpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/attention/problem.h"

namespace ridgepoint::kernels::split_kv {

constexpr std::int64_t most_parts = 128;

constexpr std::int64_t group_of(const AttentionProblem& p) {
  return p.heads / p.kv_heads;
}
// Query rows that share the keys of one key head.
constexpr std::int64_t packed_rows(const AttentionProblem& p) {
  return group_of(p) * p.seqlen_q;
}
constexpr std::int64_t row_tiles(const AttentionProblem& p, std::int64_t block_m) {
  return (packed_rows(p) + block_m - 1) / block_m;
}

// Bytes of K, V, Q, O, the LSE and the partial results that pass while every multiprocessor works
// through what the busiest has.
inline double cost_bytes(const AttentionProblem& p, std::int64_t block_m, std::int64_t block_n,
                         std::int64_t processors, std::int64_t parts) {
  const auto real = [](std::int64_t n) { return static_cast<double>(n); };
  const std::int64_t tiles = row_tiles(p, block_m);
  const std::int64_t blocks = std::int64_t{p.batch} * p.kv_heads * tiles * parts;
  const std::int64_t waves = (blocks + processors - 1) / processors;
  const std::int64_t key_tiles = (std::int64_t{p.seqlen_k} + block_n - 1) / block_n;
  const std::int64_t keys =
      std::min<std::int64_t>(p.seqlen_k, (key_tiles + parts - 1) / parts * block_n);
  const double key_bytes = 4.0 * p.head_dim / real(tiles);  // read from HBM once for all tiles
  const double row_bytes = 4.0 * p.head_dim + 4;
  const double partials = parts > 1 ? 2 * real(parts) * (row_bytes + 4) : 0;
  return real(waves) * real(keys) * key_bytes * real(processors) +
         real(row_count(p)) * (row_bytes + partials);
}

inline std::int64_t parts_for(const AttentionProblem& p, std::int64_t block_m, std::int64_t block_n,
                              std::int64_t processors) {
  const std::int64_t key_tiles = (std::int64_t{p.seqlen_k} + block_n - 1) / block_n;
  const std::int64_t most =
      std::max<std::int64_t>(1, std::min({most_parts, key_tiles, processors}));
  std::vector<double> cost;
  for (std::int64_t parts = 1; parts <= most; ++parts) {
    cost.push_back(cost_bytes(p, block_m, block_n, processors, parts));
  }
  constexpr double near_the_least = 1.05;
  const double enough = near_the_least * *std::min_element(cost.begin(), cost.end());
  const auto first =
      std::find_if(cost.begin(), cost.end(), [&](double one) { return one <= enough; });
  return first - cost.begin() + 1;
}

}  // namespace ridgepoint::kernels::split_kv
