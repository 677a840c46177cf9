// Where the row terms of a backward pass with recomputation lie in its workspace.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/attention/backward_variant.h"
#include "kernels/attention/recompute/row_terms.h"

namespace ridgepoint::kernels::recompute {

constexpr std::int64_t query_tiles(const AttentionProblem& p, std::int32_t block_m) {
  return (std::int64_t{p.seqlen_q} + block_m - 1) / block_m;
}
constexpr std::int64_t padded_rows(const AttentionProblem& p, std::int32_t block_m) {
  return std::int64_t{p.batch} * p.heads * query_tiles(p, block_m) * block_m;
}

// Byte offsets, each a multiple of 256.
struct WorkspaceLayout {
  std::int64_t negative_lse;
  std::int64_t delta;
  std::int64_t dq_sum;
  std::int64_t turns;
  std::int64_t bytes;
};

constexpr WorkspaceLayout workspace_layout(const AttentionProblem& p, std::int32_t block_m,
                                           bool with_turns) {
  const auto aligned = [](std::int64_t bytes) { return (bytes + 255) / 256 * 256; };
  const std::int64_t rows = padded_rows(p, block_m);
  const std::int64_t values = aligned(rows * 4);
  const std::int64_t sums = rows * p.head_dim * 4;
  const std::int64_t turns = with_turns ? aligned(rows / block_m * 2 * 4) : 0;
  return {0, values, 2 * values, 2 * values + sums, 2 * values + sums + turns};
}

inline RowTerms row_terms(const AttentionProblem& p, const AttentionGradients& t,
                          std::int32_t block_m, bool with_turns) {
  const WorkspaceLayout layout = workspace_layout(p, block_m, with_turns);
  auto* const workspace = static_cast<char*>(t.workspace);
  return {t.o,
          t.d_o,
          t.lse,
          reinterpret_cast<float*>(workspace + layout.negative_lse),
          reinterpret_cast<float*>(workspace + layout.delta),
          reinterpret_cast<float*>(workspace + layout.dq_sum),
          with_turns ? reinterpret_cast<std::uint32_t*>(workspace + layout.turns) : nullptr,
          p.seqlen_q,
          static_cast<std::int32_t>(query_tiles(p, block_m))};
}

}  // namespace ridgepoint::kernels::recompute
