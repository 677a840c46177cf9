// How the key heads of a problem are cut into sections.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/attention/problem.h"

namespace ridgepoint::kernels::hopper_backward {

// Key heads worked on together with a causal mask. Their Q, dO (16 bits) and dQ sums (32 bits)
// should stay in Hopper's L2 cache: 32 MiB of them. But where the grid is a few waves, the longest
// thread blocks of the last section would outlast all other work: a section then needs two thread
// blocks a multiprocessor, the longest being twice as long as their average. With many waves that
// end is a small part, and longer sections cost more than they save: 5 % at 32 heads of N = 8192.
// So they do where additions have an order, at any size: blocks of one head wait for each other,
// and fewer heads at once keep them closer.
constexpr std::int32_t section_kv_heads(const AttentionProblem& p, std::int64_t key_blocks,
                                        std::int64_t multiprocessors, bool in_order) {
  constexpr std::int64_t budget_bytes = std::int64_t{32} << 20;
  constexpr std::int64_t few_waves = 8;
  const std::int64_t bytes =
      std::int64_t{p.heads / p.kv_heads} * p.seqlen_q * p.head_dim * (2 + 2 + 4);
  const std::int64_t total = std::int64_t{p.batch} * p.kv_heads;
  const std::int64_t in_cache = std::clamp<std::int64_t>(
      budget_bytes / std::max<std::int64_t>(bytes, 1), 1, std::max<std::int64_t>(total, 1));
  if (in_order || total * key_blocks >= few_waves * multiprocessors) {
    return static_cast<std::int32_t>(in_cache);
  }
  const std::int64_t balanced =
      (2 * multiprocessors + key_blocks - 1) / std::max<std::int64_t>(key_blocks, 1);
  const std::int64_t wanted = std::max(in_cache, balanced);
  const std::int64_t sections = std::max<std::int64_t>(total / wanted, 1);
  return static_cast<std::int32_t>((total + sections - 1) / sections);
}

}  // namespace ridgepoint::kernels::hopper_backward
