// Each kernel's share of the time of all, measured or predicted.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// Fills time_share where the kernel has a time.
void share_out_time(std::vector<KernelAnalysis>& kernels);

}  // namespace ridgepoint
