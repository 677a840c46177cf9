// Which tiles of the fused kernels fit a GPU's shared memory and register file, and what each would
// move: the choice that a kernel's author makes, laid out.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/predict/gpu.h"

namespace ridgepoint {

// The tiles of every fused variant in `analysis` that fit, least time bound first, then fewest L2
// bytes; for each variant the best few and the one in use.
std::vector<TileOption> feasible_tiles(const AttentionShape& shape, const GpuDescription& gpu,
                                       const Analysis& analysis);

}  // namespace ridgepoint
