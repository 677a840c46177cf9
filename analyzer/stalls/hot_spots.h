// The instructions at which a kernel's warps were seen most.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

inline constexpr std::size_t hot_spot_limit = 10;

// Fills hot_spots of every kernel in one pass over the samples. Samples belong to a kernel, not to
// a launch, so that two variants using one kernel share them. Instructions with equally many
// samples keep the order of the code.
void fill_hot_spots(std::vector<KernelAnalysis>& kernels, const Session& session);

}  // namespace ridgepoint
