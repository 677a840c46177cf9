#include <algorithm>
#include <cmath>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/tile_walk.h"
#include "analyzer/predict/hopper_tile.h"
#include "analyzer/predict/plan.h"

namespace ridgepoint {

std::int64_t hopper_kv_stages(std::int64_t head_dim, bool causal, std::int64_t consumers) {
  if (consumers == 4) {
    return head_dim == 64 ? 8 : 4;
  }
  return consumers == 3 && head_dim == 64 && !causal ? 5 : 2;
}

std::int64_t hopper_smem_bytes(std::int64_t head_dim, std::int64_t block_m, std::int64_t block_n,
                               std::int64_t q_stages, std::int64_t kv_stages) {
  constexpr std::int64_t barrier_bytes = 8;
  constexpr std::int64_t tile_number_bytes = 4;
  constexpr std::int64_t alignment_bytes = 1024;
  return 2 * head_dim * (q_stages * block_m + 2 * kv_stages * block_n) +
         barrier_bytes * (2 * q_stages + 4 * kv_stages) + tile_number_bytes * q_stages +
         alignment_bytes;
}

namespace {

// 256 query rows in place of 192, where these would make the busiest thread block work on an eighth
// more rows.
bool has_wide_tiles(const AttentionShape& shape, double processors) {
  const auto busiest = [&](std::int64_t rows) {
    const double tiles = query_heads(shape) * tiles_over(shape.seqlen_q, rows);
    return static_cast<double>(rows) * std::ceil(tiles / processors);
  };
  return shape.head_dim == 64 && !shape.causal && shape.seqlen_k <= 4096 &&
         9 * busiest(256) <= 8 * busiest(192);
}

}  // namespace

VariantPlan plan_hopper(const AttentionShape& shape, const DeviceInfo& device) {
  VariantPlan plan{"hopper",
                   "one warp-specialised kernel for Hopper: TMA loads, WGMMA, softmax overlapped "
                   "with the products (FlashAttention-3)",
                   {},
                   0,
                   {}};
  if (device.compute_capability_major != 9) {
    plan.unsupported = "needs compute capability 9.0 (WGMMA)";
    return plan;
  }
  const std::int64_t d = shape.head_dim;
  if (d != 64 && d != 128 && d != 256) {
    plan.unsupported = "head_dim must be 64, 128 or 256, not " + std::to_string(d);
    return plan;
  }
  const bool wide = has_wide_tiles(shape, static_cast<double>(device.sm_count));
  const std::int64_t consumers = wide ? 4 : d == 64 ? 3 : 2;
  const std::int64_t kv_stages = hopper_kv_stages(d, shape.causal, consumers);
  const std::int64_t block_m = 64 * consumers;
  const std::int64_t block_n = wide ? 64 : d == 256 ? 80 : 128;
  const std::int64_t q_stages = d == 256 ? 1 : 2;
  const std::int64_t threads = 128 * (1 + consumers);
  const double tiles = query_heads(shape) * tiles_over(shape.seqlen_q, block_m);
  // One block stays on each SM and takes tile after tile.
  const double blocks = std::min(static_cast<double>(device.sm_count), tiles);
  plan.launches = {{"hopper_attention_forward",
                    {{"attention", block_m, block_n, d, kv_stages, threads,
                      hopper_smem_bytes(d, block_m, block_n, q_stages, kv_stages)},
                     1,
                     MatrixPath::wgmma,
                     static_cast<std::int64_t>(blocks)},
                    consumers == 2   ? 168
                    : consumers == 3 ? 128
                                     : 96,
                    attention_flop(shape)}};
  plan.workspace_bytes = shape.causal ? 4 : 0;
  return plan;
}

}  // namespace ridgepoint
