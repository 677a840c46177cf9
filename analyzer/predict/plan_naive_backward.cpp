#include <cmath>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/tile_walk.h"
#include "analyzer/predict/naive_tiles.h"
#include "analyzer/predict/plan.h"

namespace ridgepoint {
namespace {

constexpr std::int64_t block_keys = 128;  // of a thread block of the key gradients
constexpr std::int64_t step_queries = 64;

KernelTileInfo key_gradient_tile(const char* role, std::int64_t d) {
  const std::int64_t stages = d <= 64 ? 3 : 2;
  return {role,
          step_queries,
          block_keys,
          step_queries,
          stages,
          256,
          stages * 2 * step_queries * (block_keys + d)};
}

}  // namespace

VariantPlan plan_naive_backward(const AttentionShape& shape, const DeviceInfo& device) {
  VariantPlan plan{"naive",
                   "five kernels with P kept from the forward pass and dP and dS written to HBM",
                   {},
                   0,
                   {}};
  plan.unsupported = portable_unsupported(shape, device);
  if (!plan.unsupported.empty()) {
    return plan;
  }
  const double query_tiles = query_heads(shape) * tiles_over(shape.seqlen_q, naive_block_m);
  const double rows = query_heads(shape) * static_cast<double>(shape.seqlen_q);
  const double key_blocks = static_cast<double>(shape.batch) * static_cast<double>(shape.kv_heads) *
                            tiles_over(shape.seqlen_k, block_keys);
  const double product = product_flop(shape, 1);
  const auto blocks = [](double count) { return static_cast<std::int64_t>(count); };
  const std::int64_t d = shape.head_dim;
  KernelTileInfo d_scores = naive_scores_tile(d);
  d_scores.role = "d_scores";
  KernelTileInfo query_gradient = naive_output_tile(d);
  query_gradient.role = "query_gradient";
  const double rows_a_block = shape.seqlen_k <= 1024 ? 8 : 1;
  // Two blocks an SM by __launch_bounds__(256, 2): 128 registers.
  plan.launches = {
      {"naive_scores (d_scores)",
       {d_scores, 1, MatrixPath::mma_sync,
        blocks(query_tiles * tiles_over(shape.seqlen_k, naive_strip_keys))},
       128,
       product},
      {"naive_softmax_gradient",
       {{"softmax_gradient", 1, 0, 0, 1, 256, 0},
        1,
        MatrixPath::mma_sync,
        blocks(std::ceil(rows / rows_a_block))},
       255,
       0},
      {"naive_output (query_gradient)",
       {query_gradient, 1, MatrixPath::mma_sync, blocks(query_tiles)},
       128,
       product},
      {"naive_key_gradient (value_gradient)",
       {key_gradient_tile("value_gradient", d), 1, MatrixPath::mma_sync, blocks(key_blocks)},
       128,
       product},
      {"naive_key_gradient (key_gradient)",
       {key_gradient_tile("key_gradient", d), 1, MatrixPath::mma_sync, blocks(key_blocks)},
       128,
       product}};
  const double matrix = naive_matrix_bytes(shape);
  plan.saved_bytes = matrix;
  plan.workspace_bytes = 2 * matrix;
  return plan;
}

}  // namespace ridgepoint
