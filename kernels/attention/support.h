// What the portable variants share: which problems their instances exist for, and how a problem and
// a tile are handed on.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "kernels/attention/forward_arguments.h"
#include "kernels/attention/tile_shape.h"
#include "kernels/attention/validate.h"
#include "kernels/attention/variant.h"

namespace ridgepoint::kernels {

// What every portable variant is built for.
constexpr std::initializer_list<std::int32_t> common_head_dims = {64, 128};

// "64, 128 and 256"
inline std::string list_of(std::initializer_list<std::int32_t> head_dims) {
  std::string text;
  for (const std::int32_t* d = head_dims.begin(); d != head_dims.end(); ++d) {
    text += d == head_dims.begin() ? "" : d + 1 == head_dims.end() ? " and " : ", ";
    text += std::to_string(*d);
  }
  return text;
}

// Empty when tensor-core kernels of this build, compiled for these head dimensions, can run the
// problem.
inline std::string instance_missing_reason(
    const AttentionProblem& p, int compute_capability,
    std::initializer_list<std::int32_t> head_dims = common_head_dims) {
  std::string reason = invalid_reason(p);
  if (!reason.empty()) {
    return reason;
  }
  if (compute_capability < 80) {
    return "needs compute capability 8.0 or later (cp.async and BF16 tensor cores); this GPU has " +
           std::to_string(compute_capability / 10) + "." + std::to_string(compute_capability % 10);
  }
  if (std::find(head_dims.begin(), head_dims.end(), p.head_dim) == head_dims.end()) {
    return "built for head_dim " + list_of(head_dims) + ", not " + std::to_string(p.head_dim);
  }
  return {};
}

inline ForwardArguments forward_arguments(const AttentionProblem& p, const AttentionTensors& t) {
  return {t.q,     t.k,        t.v,        t.o,        t.lse,
          p.heads, p.kv_heads, p.seqlen_q, p.seqlen_k, resolved_softmax_scale(p),
          p.causal};
}

inline KernelTile tile_of(const char* role, const TileShape& tile, std::int32_t block_k) {
  return {role, tile.block_m, tile.block_n, block_k, tile.stages, tile.threads, tile.smem_bytes};
}

// Of a kernel whose shape knows the depth of its product.
template <class Shape>
KernelTile tile_of(const char* role, const Shape& shape) {
  return tile_of(role, shape, shape.block_k);
}

// CUDA's limit for grid.x.
constexpr std::int64_t max_grid_blocks = 2147483647;

inline std::string grid_too_large_reason(std::int64_t blocks) {
  return blocks > max_grid_blocks
             ? "needs " + std::to_string(blocks) + " thread blocks, more than one launch can have"
             : std::string();
}

}  // namespace ridgepoint::kernels
