// Traffic by NVTX range, and of the whole run.
#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/kernels.h"

namespace ridgepoint {

// The kernels added up; empty when there are none.
std::optional<RangeAnalysis> whole_run(const std::vector<KernelAnalysis>& kernels);

// Ranges of the same names one inside the other are one path, however often they were opened.
// Nested deeper than 16, launches count for the range at that depth.
std::vector<RangeAnalysis> analyse_ranges(const SessionTables& tables);

}  // namespace ridgepoint
