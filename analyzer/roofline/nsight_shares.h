// What binds a kernel when only Nsight Compute's own percentages are known, as on its details page.
#pragma once

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

inline constexpr const char* nsight_shares_basis = "Nsight Compute's throughput percentages";

// Fills bound_by and headroom from the quantities nsight_*_share, and says so in bound_basis;
// leaves a kernel alone that our own roofs have placed, or that lacks the share of memory or of the
// SMs. The verdict is that of Nsight's "GPU Speed Of Light" section: the larger of memory and SM
// throughput binds, and below 60 % (latency_bound_below) it is latency. Of the memory units DRAM or
// L2 is named when its own share is the memory's, to half a percent, the outer one first; else what
// is left is L1 with shared memory. (L1's own percentage is over active cycles, which makes a tiny
// kernel look busy.) The shares are not utilisations of our roofs: each is the busiest of several
// counters against its own peak.
void place_by_nsight_shares(KernelAnalysis& kernel);

}  // namespace ridgepoint
