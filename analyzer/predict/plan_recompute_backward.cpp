// The three backward variants that compute P again: a kernel for the rows, one for the gradients,
// one that rounds dQ.
#include <algorithm>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/tile_walk.h"
#include "analyzer/predict/plan.h"

namespace ridgepoint {
namespace {

std::int64_t blocks(double count) {
  return static_cast<std::int64_t>(std::min(count, 0x1p62));
}

// The kernels around the main one, and the workspace: -LSE, D and dQ in FP32, 2 turns a tile.
void add_surroundings(VariantPlan& plan, const AttentionShape& shape, const char* conversion,
                      std::int64_t block_m, std::int64_t turn_bytes) {
  const std::int64_t rows_a_block = 256 / (shape.head_dim / 8);
  const double tiles = query_heads(shape) * tiles_over(shape.seqlen_q, block_m);
  const double padded_rows = tiles * static_cast<double>(block_m);
  plan.launches.insert(plan.launches.begin(),
                       {"backward_row_terms",
                        {{"rows", rows_a_block, 0, 0, 1, 256, 0},
                         1,
                         MatrixPath::mma_sync,
                         blocks(padded_rows / static_cast<double>(rows_a_block))},
                        255,
                        0});
  plan.launches.push_back(
      {conversion,
       {{"conversion", block_m, 0, 0, 1, 256, 0}, 1, MatrixPath::mma_sync, blocks(tiles)},
       255,
       0});
  const auto aligned = [](double bytes) { return tiles_over(blocks(bytes), 256) * 256; };
  plan.workspace_bytes = 2 * aligned(4 * padded_rows) +
                         4 * padded_rows * static_cast<double>(shape.head_dim) +
                         aligned(tiles * static_cast<double>(turn_bytes));
}

double key_blocks(const AttentionShape& shape, std::int64_t block_n) {
  return static_cast<double>(shape.batch) * static_cast<double>(shape.kv_heads) *
         tiles_over(shape.seqlen_k, block_n);
}

VariantPlan plan_hopper_kind(const AttentionShape& shape, const DeviceInfo& device,
                             const char* name, const char* description, std::int64_t turn_bytes) {
  VariantPlan plan{name, description, {}, 0, {}};
  if (device.compute_capability_major != 9) {
    plan.unsupported = "needs compute capability 9.0 (WGMMA)";
    return plan;
  }
  plan.unsupported = portable_unsupported(shape, device);
  if (!plan.unsupported.empty()) {
    return plan;
  }
  const std::int64_t d = shape.head_dim;
  const std::int64_t block_m = d == 64 ? 128 : 64;
  constexpr std::int64_t block_n = 128;
  constexpr std::int64_t q_stages = 3;
  constexpr std::int64_t do_stages = 2;
  // K and V; Q and dO; two stages of dS; two pieces of dQ in FP32; -LSE and D; mbarriers; what
  // aligning the base may cost (kernels/attention/hopper_backward/traits.cuh).
  const std::int64_t smem_bytes = 2 * 2 * block_n * d + (q_stages + do_stages) * 2 * block_m * d +
                                  2 * 2 * block_n * block_m + 2 * 64 * 64 * 4 +
                                  2 * do_stages * 4 * block_m +
                                  8 * (2 + 2 * q_stages + 2 * do_stages + 4) + 1024;
  plan.launches = {{"hopper_attention_backward",
                    {{"gradients", block_m, block_n, d, q_stages, 384, smem_bytes},
                     1,
                     MatrixPath::wgmma,
                     blocks(key_blocks(shape, block_n))},
                    168,
                    attention_flop(shape)}};
  add_surroundings(plan, shape, "hopper_backward_conversion", block_m, turn_bytes);
  return plan;
}

}  // namespace

VariantPlan plan_fused_backward(const AttentionShape& shape, const DeviceInfo& device) {
  VariantPlan plan{"fused",
                   "recomputation with mma.sync from O and the LSE alone (FlashAttention-2); dQ "
                   "added as it comes",
                   {},
                   0,
                   {}};
  plan.unsupported = portable_unsupported(shape, device);
  if (!plan.unsupported.empty()) {
    return plan;
  }
  constexpr std::int64_t block_m = 64;
  const std::int64_t d = shape.head_dim;
  // K and V, two stages of Q, dO, P and dS (kernels/attention/fused_backward/traits.cuh).
  const auto smem_bytes = [&](std::int64_t block_n) {
    return 2 * (2 * block_n * d + 3 * block_m * d + 2 * block_m * block_n);
  };
  const std::int64_t block_n = d == 64 || smem_bytes(128) <= device.smem_per_block_bytes ? 128 : 64;
  plan.launches = {{"fused_attention_backward",
                    {{"gradients", block_m, block_n, d, 2, 256, smem_bytes(block_n)},
                     1,
                     MatrixPath::mma_sync,
                     blocks(key_blocks(shape, block_n))},
                    255,
                    attention_flop(shape)}};
  add_surroundings(plan, shape, "fused_backward_conversion", block_m, 0);
  return plan;
}

VariantPlan plan_hopper_backward(const AttentionShape& shape, const DeviceInfo& device) {
  return plan_hopper_kind(shape, device, "hopper",
                          "recomputation for Hopper: TMA, WGMMA, P and dS in registers; dQ added "
                          "as it comes",
                          0);
}

VariantPlan plan_hopper_deterministic_backward(const AttentionShape& shape,
                                               const DeviceInfo& device) {
  return plan_hopper_kind(
      shape, device, "hopper_deterministic",
      "the same with dQ added in the order of the keys: repeats give the same bits", 8);
}

}  // namespace ridgepoint
