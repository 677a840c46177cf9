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
  plan.unsupported = portable_unsupported(shape, device);
  if (!plan.unsupported.empty()) {
    return plan;
  }
  const std::int64_t d = shape.head_dim;
  // As many keys as the registers hold beside O.
  const std::int64_t block_n = d == 64 ? 128 : 48;
  const std::int64_t smem_bytes = 2 * d * (block_m + 2 * stages * block_n);
  const double blocks = query_heads(shape) * tiles_over(shape.seqlen_q, block_m);
  plan.launches = {{"fused_attention_forward",
                    {{"attention", block_m, block_n, d, stages, 128, smem_bytes},
                     1,
                     MatrixPath::mma_sync,
                     static_cast<std::int64_t>(blocks)},
                    255,
                    attention_flop(shape)}};
  return plan;
}

}  // namespace ridgepoint
