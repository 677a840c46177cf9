// One kernel of an attention variant as the models see it: its tile, and what of its construction
// decides its traffic.
#pragma once

#include <cstdint>

#include "analyzer/session/session.h"

namespace ridgepoint {

// How the products get their operands. mma.sync takes both from registers, which ldmatrix fills
// from shared memory once for every warp that needs them; wgmma reads them from shared memory once
// for every warpgroup of 64 rows (PTX ISA, "Asynchronous warpgroup-level matrix instructions").
enum class MatrixPath { mma_sync, wgmma };

struct PlannedKernel {
  KernelTileInfo tile;
  std::int64_t blocks_per_sm = 1;  // from the occupancy calculator
  MatrixPath path = MatrixPath::mma_sync;
  // Thread blocks launched, 0 when unknown. A block of the scores kernel may walk several key tiles
  // past one tile of Q; how many follows from this.
  std::int64_t blocks = 0;
  // Parts that the keys of a query tile are shared out in (split_kv.h).
  std::int64_t splits = 1;
};

}  // namespace ridgepoint
