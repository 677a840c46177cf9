#include <algorithm>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/tile_walk.h"
#include "analyzer/predict/plan.h"

namespace ridgepoint {

VariantPlan plan_fused(const AttentionShape& shape, const DeviceInfo& device) {
  constexpr std::int64_t block_m = 128;
  constexpr std::int64_t stages = 2;
  VariantPlan plan{
      "fused",
      "one kernel: tiles with an online softmax, S and P stay on chip (FlashAttention-2)",
      {},
      0,
      {}};
  plan.unsupported = portable_unsupported(shape, device, {64, 128, 256});
  if (!plan.unsupported.empty()) {
    return plan;
  }
  const std::int64_t d = shape.head_dim;
  // As many keys as the registers hold beside O, and at 256 beside Q, whose shared memory the
  // stages take then.
  const bool q_in_registers = d == 256;
  const std::int64_t block_n = d == 64 ? 128 : q_in_registers ? 32 : 48;
  const std::int64_t stage_rows = 2 * stages * block_n;
  const std::int64_t smem_bytes =
      2 * d * (q_in_registers ? std::max(block_m, stage_rows) : block_m + stage_rows);
  const std::int64_t threads = q_in_registers ? 256 : 128;
  const double blocks = query_heads(shape) * tiles_over(shape.seqlen_q, block_m);
  plan.launches = {{"fused_attention_forward",
                    {{"attention", block_m, block_n, d, stages, threads, smem_bytes},
                     1,
                     MatrixPath::mma_sync,
                     static_cast<std::int64_t>(blocks)},
                    255,
                    attention_flop(shape)}};
  return plan;
}

}  // namespace ridgepoint
