#include "kernels/attention/tiled_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "kernels/attention/half.h"

namespace ridgepoint::kernels {
namespace {

constexpr std::int64_t element_bytes = 2;
constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// Rows of a tensor in fast memory; making one is the traffic.
std::vector<float> load_rows(const AttentionProblem& p, const std::vector<std::uint16_t>& tensor,
                             std::int64_t first_row, std::int64_t rows, std::int64_t& bytes) {
  bytes += rows * p.head_dim * element_bytes;
  return decode(p.dtype, std::span(tensor).subspan(static_cast<std::size_t>(first_row * p.head_dim),
                                                   static_cast<std::size_t>(rows * p.head_dim)));
}

// One query row's running state.
struct OnlineRow {
  double max = minus_infinity;
  double sum = 0;
  std::vector<double> o;
};

struct KeyTile {
  std::int64_t first = 0;
  std::int64_t rows = 0;
  std::vector<float> k;
  std::vector<float> v;
};

void visit(const AttentionProblem& p, const float* q, std::int64_t query, const KeyTile& tile,
           OnlineRow& row) {
  const auto d = static_cast<std::size_t>(p.head_dim);
  const std::int64_t keys =
      std::clamp<std::int64_t>(visible_keys(p, query) - tile.first, 0, tile.rows);
  const auto scale = static_cast<double>(resolved_softmax_scale(p));
  std::vector<double> weights(static_cast<std::size_t>(keys));
  double max = row.max;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    double score = 0;
    for (std::size_t c = 0; c < d; ++c) {
      score += static_cast<double>(q[c]) * static_cast<double>(tile.k[j * d + c]);
    }
    weights[j] = score * scale;
    max = std::max(max, weights[j]);
  }
  // A row that has seen no key keeps its maximum of -inf; 0 stands in for it, as in the kernel.
  const double base = max == minus_infinity ? 0 : max;
  const double rescale = std::exp(row.max - base);
  row.max = max;
  row.sum *= rescale;
  for (double& o : row.o) {
    o *= rescale;
  }
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const double weight = std::exp(weights[j] - base);
    row.sum += weight;
    for (std::size_t c = 0; c < d; ++c) {
      row.o[c] += weight * static_cast<double>(tile.v[j * d + c]);
    }
  }
}

}  // namespace

TiledResult run_tiled_model(const AttentionProblem& p, const AttentionData& data, TileSize tile) {
  const auto d = static_cast<std::size_t>(p.head_dim);
  TiledResult result;
  result.o.resize(static_cast<std::size_t>(query_elements(p)));
  result.lse.resize(static_cast<std::size_t>(row_count(p)));
  const std::int64_t query_heads = std::int64_t{p.batch} * p.heads;
  for (std::int64_t head = 0; head < query_heads; ++head) {
    const std::int64_t kv_head =
        head / p.heads * p.kv_heads + head % p.heads / (p.heads / p.kv_heads);
    for (std::int64_t first_row = 0; first_row < p.seqlen_q; first_row += tile.block_m) {
      const std::int64_t rows = std::min<std::int64_t>(tile.block_m, p.seqlen_q - first_row);
      const std::int64_t query_row = head * p.seqlen_q + first_row;
      const std::int64_t keys = visible_keys(p, first_row + rows - 1);
      std::vector<OnlineRow> state(static_cast<std::size_t>(rows),
                                   {minus_infinity, 0, std::vector<double>(d)});
      // A tile that sees no key reads nothing.
      const std::vector<float> q =
          load_rows(p, data.q, query_row, keys > 0 ? rows : 0, result.traffic.q_bytes);
      const std::int64_t key_tiles = (keys + tile.block_n - 1) / tile.block_n;
      for (std::int64_t index = key_tiles - 1; index >= 0; --index) {
        KeyTile key_tile;
        key_tile.first = index * tile.block_n;
        key_tile.rows = std::min<std::int64_t>(tile.block_n, p.seqlen_k - key_tile.first);
        const std::int64_t key_row = kv_head * p.seqlen_k + key_tile.first;
        key_tile.k = load_rows(p, data.k, key_row, key_tile.rows, result.traffic.k_bytes);
        key_tile.v = load_rows(p, data.v, key_row, key_tile.rows, result.traffic.v_bytes);
        for (std::int64_t i = 0; i < rows; ++i) {
          visit(p, &q[static_cast<std::size_t>(i) * d], first_row + i, key_tile,
                state[static_cast<std::size_t>(i)]);
        }
      }
      for (std::int64_t i = 0; i < rows; ++i) {
        const OnlineRow& row = state[static_cast<std::size_t>(i)];
        const double inverse = row.sum == 0 ? 0 : 1 / row.sum;
        for (std::size_t c = 0; c < d; ++c) {
          result.o[static_cast<std::size_t>(query_row + i) * d + c] = row.o[c] * inverse;
        }
        result.lse[static_cast<std::size_t>(query_row + i)] =
            row.sum == 0 ? minus_infinity : row.max + std::log(row.sum);
      }
      result.traffic.o_bytes += rows * p.head_dim * element_bytes;
      result.traffic.lse_bytes += rows * static_cast<std::int64_t>(sizeof(float));
    }
  }
  return result;
}

}  // namespace ridgepoint::kernels
