// How the keys of a problem are cut into blocks and sections.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/attention/hopper_backward/arguments.h"
#include "kernels/attention/problem.h"

namespace ridgepoint::kernels::hopper_backward {

constexpr std::int64_t key_blocks(const AttentionProblem& p, const KernelShape& main) {
  return (std::int64_t{p.seqlen_k} + main.block_n - 1) / main.block_n;
}
// Key heads worked on together with a causal mask. Their Q, dO (16 bits) and dQ sums (32 bits)
// should stay in Hopper's L2 cache: 32 MiB of them. But the longest thread blocks of the last
// section must not outlast the work that is left: a section needs two thread blocks a
// multiprocessor, the longest being twice as long as their average. Balance comes first, for the
// kernel is far from the rate of DRAM; what is left over makes the sections longer, not one more.
constexpr std::int32_t section_kv_heads(const AttentionProblem& p, std::int64_t key_blocks,
                                        std::int64_t multiprocessors) {
  constexpr std::int64_t budget_bytes = std::int64_t{32} << 20;
  const std::int64_t bytes =
      std::int64_t{p.heads / p.kv_heads} * p.seqlen_q * p.head_dim * (2 + 2 + 4);
  const std::int64_t total = std::int64_t{p.batch} * p.kv_heads;
  const std::int64_t in_cache = budget_bytes / std::max<std::int64_t>(bytes, 1);
  const std::int64_t balanced =
      (2 * multiprocessors + key_blocks - 1) / std::max<std::int64_t>(key_blocks, 1);
  const std::int64_t wanted = std::max({in_cache, balanced, std::int64_t{1}});
  const std::int64_t sections = std::max<std::int64_t>(total / wanted, 1);
  return static_cast<std::int32_t>((total + sections - 1) / sections);
}

}  // namespace ridgepoint::kernels::hopper_backward
