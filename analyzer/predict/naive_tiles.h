// The product kernels that the naive variants of both directions launch.
#pragma once

#include <cstdint>

#include "analyzer/session/session.h"

namespace ridgepoint {

inline constexpr std::int64_t naive_block_m = 128;
inline constexpr std::int64_t naive_strip_keys = 1024;  // that a block of the scores kernel walks

KernelTileInfo naive_scores_tile(std::int64_t head_dim);
KernelTileInfo naive_output_tile(std::int64_t head_dim);

// Of S, P, dP or dS in memory, rows padded to 16 bytes.
double naive_matrix_bytes(const AttentionShape& shape);

}  // namespace ridgepoint
