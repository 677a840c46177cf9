// The algorithm of the fused kernel on the host (FlashAttention-2, arXiv 2307.08691, algorithm 1),
// with any tile size, in double, counting what it moves between slow memory (HBM, or L2 as the
// kernel sees it) and fast memory (registers and shared memory). It exists to show that tiling
// changes the traffic and not the result.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/attention/inputs.h"
#include "kernels/attention/problem.h"

namespace ridgepoint::kernels {

struct TileSize {
  std::int32_t block_m = 128;  // query rows held at a time
  std::int32_t block_n = 64;   // key rows of a step
};

struct TiledTraffic {
  std::int64_t q_bytes = 0;
  std::int64_t k_bytes = 0;
  std::int64_t v_bytes = 0;
  std::int64_t o_bytes = 0;
  std::int64_t lse_bytes = 0;

  std::int64_t total_bytes() const { return q_bytes + k_bytes + v_bytes + o_bytes + lse_bytes; }
};

struct TiledResult {
  std::vector<double> o;    // whole tensor, not rounded to the element type
  std::vector<double> lse;  // natural logarithm
  TiledTraffic traffic;
};

TiledResult run_tiled_model(const AttentionProblem& problem, const AttentionData& data,
                            TileSize tile);

}  // namespace ridgepoint::kernels
