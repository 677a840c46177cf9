// How a problem is cut into tiles, and where the pieces of the workspace lie.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/attention/hopper_backward/arguments.h"
#include "kernels/attention/problem.h"

namespace ridgepoint::kernels::hopper_backward {

constexpr std::int64_t query_tiles(const AttentionProblem& p, const KernelShape& main) {
  return (std::int64_t{p.seqlen_q} + main.block_m - 1) / main.block_m;
}
constexpr std::int64_t key_blocks(const AttentionProblem& p, const KernelShape& main) {
  return (std::int64_t{p.seqlen_k} + main.block_n - 1) / main.block_n;
}
constexpr std::int64_t padded_rows(const AttentionProblem& p, const KernelShape& main) {
  return std::int64_t{p.batch} * p.heads * query_tiles(p, main) * main.block_m;
}

// Byte offsets into the workspace, each a multiple of 256.
struct WorkspaceLayout {
  std::int64_t negative_lse;
  std::int64_t delta;
  std::int64_t dq_sum;
  std::int64_t turns;
  std::int64_t bytes;
};

constexpr WorkspaceLayout workspace_layout(const AttentionProblem& p, const KernelShape& main,
                                           bool deterministic) {
  const auto aligned = [](std::int64_t bytes) { return (bytes + 255) / 256 * 256; };
  const std::int64_t rows = aligned(padded_rows(p, main) * 4);
  const std::int64_t sums = padded_rows(p, main) * p.head_dim * 4;
  const std::int64_t turns =
      deterministic ? aligned(std::int64_t{p.batch} * p.heads * query_tiles(p, main) * 2 * 4) : 0;
  return {0, rows, 2 * rows, 2 * rows + sums, 2 * rows + sums + turns};
}

// Key heads whose Q, dO (16 bits) and dQ sums (32 bits) together take 32 MiB, at least one: they
// should stay in Hopper's L2 cache while the section is worked on.
constexpr std::int32_t section_kv_heads(const AttentionProblem& p) {
  constexpr std::int64_t budget_bytes = std::int64_t{32} << 20;
  const std::int64_t bytes =
      std::int64_t{p.heads / p.kv_heads} * p.seqlen_q * p.head_dim * (2 + 2 + 4);
  const std::int64_t heads = bytes == 0 ? 1 : std::max<std::int64_t>(1, budget_bytes / bytes);
  return static_cast<std::int32_t>(std::min(heads, std::int64_t{p.batch} * p.kv_heads));
}

}  // namespace ridgepoint::kernels::hopper_backward
