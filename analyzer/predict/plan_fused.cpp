#include "analyzer/attention/flop.h"
#include "analyzer/attention/tile_walk.h"
#include "analyzer/predict/plan.h"

namespace ridgepoint {

VariantPlan plan_fused(const AttentionShape& shape, const DeviceInfo& device) {
  constexpr std::int64_t block_m = 128;
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
  // As many keys as the registers hold beside O. At 256 half of Q waits in registers as well, and
  // leaves its place in shared memory to the one stage.
  const bool half_of_q = d == 256;
  const std::int64_t block_n = d == 64 ? 128 : half_of_q ? 64 : 48;
  const std::int64_t stages = half_of_q ? 1 : 2;
  const std::int64_t smem_bytes =
      2 * d * ((half_of_q ? block_m / 2 : block_m) + 2 * stages * block_n);
  const std::int64_t threads = half_of_q ? 256 : 128;
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
