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
