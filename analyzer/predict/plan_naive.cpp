#include <algorithm>
#include <cmath>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/tile_walk.h"
#include "analyzer/predict/naive_tiles.h"
#include "analyzer/predict/plan.h"

namespace ridgepoint {
namespace {

constexpr std::int64_t block_m = naive_block_m;
constexpr std::int64_t step_keys = 64;  // of the scores and of the output kernel

std::int64_t tile_bytes(std::int64_t rows, std::int64_t columns) {
  return 2 * rows * columns;
}

// The fewest threads of a row whose slots in shared memory hold it; 256 and fewer hold the next row
// as well. Longer rows are read twice and held nowhere.
KernelTileInfo softmax_tile(std::int64_t seqlen_k) {
  struct Size {
    std::int64_t row_threads, slots, stages;
  };
  constexpr std::int64_t slot_keys = 8;
  for (const Size& size : {Size{32, 8, 2}, Size{256, 8, 2}, Size{1024, 6, 1}}) {
    const std::int64_t keys = size.row_threads * size.slots * slot_keys;
    if (seqlen_k <= keys) {
      const std::int64_t threads = std::max<std::int64_t>(256, size.row_threads);
      return {"softmax",
              threads / size.row_threads,
              keys,
              0,
              size.stages,
              threads,
              2 * slot_keys * size.stages * size.slots * threads};
    }
  }
  return {"softmax", 1, 1024 * slot_keys, 0, 1, 1024, 0};
}

// A block works through eight groups of rows, one after the other.
double softmax_rows_a_block(const KernelTileInfo& tile) {
  return static_cast<double>(tile.block_m) * (tile.smem_bytes > 0 ? 8 : 1);
}

}  // namespace

KernelTileInfo naive_scores_tile(std::int64_t d) {
  constexpr std::int64_t stages = 2;
  return {
      "scores",
      block_m,
      step_keys,
      d,
      stages,
      256,
      tile_bytes(block_m, d) + stages * tile_bytes(step_keys, d) + tile_bytes(block_m, step_keys)};
}

KernelTileInfo naive_output_tile(std::int64_t d) {
  const std::int64_t stages = d <= 64 ? 3 : 2;
  return {"output",
          block_m,
          d,
          step_keys,
          stages,
          256,
          stages * (tile_bytes(block_m, step_keys) + tile_bytes(step_keys, d))};
}

double naive_matrix_bytes(const AttentionShape& shape) {
  const double row_elements = tiles_over(shape.seqlen_k, 8) * 8;
  return attention_element_bytes * query_heads(shape) * static_cast<double>(shape.seqlen_q) *
         row_elements;
}

VariantPlan plan_naive(const AttentionShape& shape, const DeviceInfo& device) {
  VariantPlan plan{"naive",
                   "three kernels: S = Q K^T, P = softmax(S) and O = P V, with S and P written to "
                   "HBM",
                   {},
                   0,
                   {}};
  plan.unsupported = portable_unsupported(shape, device);
  if (!plan.unsupported.empty()) {
    return plan;
  }
  const double query_tiles = query_heads(shape) * tiles_over(shape.seqlen_q, block_m);
  const double rows = query_heads(shape) * static_cast<double>(shape.seqlen_q);
  const KernelTileInfo softmax = softmax_tile(shape.seqlen_k);
  const double product = attention_flop(shape) / 2;
  const auto blocks = [](double count) { return static_cast<std::int64_t>(count); };
  // Two blocks an SM by __launch_bounds__(256, 2): 128 registers.
  plan.launches = {
      {"naive_scores",
       {naive_scores_tile(shape.head_dim), 1, MatrixPath::mma_sync,
        blocks(query_tiles * tiles_over(shape.seqlen_k, naive_strip_keys))},
       128,
       product},
      {"naive_softmax",
       {softmax, 1, MatrixPath::mma_sync, blocks(std::ceil(rows / softmax_rows_a_block(softmax)))},
       64,
       0},
      {"naive_output",
       {naive_output_tile(shape.head_dim), 1, MatrixPath::mma_sync, blocks(query_tiles)},
       128,
       product}};
  plan.workspace_bytes = 2 * naive_matrix_bytes(shape);
  return plan;
}

}  // namespace ridgepoint
