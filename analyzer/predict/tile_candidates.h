// Tiles that a fused forward kernel of a given construction could have, and what each takes.
// Estimates of registers follow the kernels that exist (kernels/attention).
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/attention/planned_kernel.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

struct TileCandidate {
  KernelTileInfo tile;
  MatrixPath path = MatrixPath::mma_sync;
  std::int64_t registers = 0;          // a thread needs
  std::int64_t registers_allowed = 0;  // a thread may have
  std::int64_t registers_held = 0;     // that occupancy counts, a thread

  bool fits(std::int64_t smem_limit) const {
    return registers <= registers_allowed && tile.smem_bytes <= smem_limit;
  }
};

// All that are worth a look, those included that do not fit. `smem_limit`: bytes that a block may
// use.
std::vector<TileCandidate> tile_candidates(MatrixPath path, const AttentionShape& shape,
                                           std::int64_t smem_limit);

}  // namespace ridgepoint
