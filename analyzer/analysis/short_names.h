// Names short enough for a chart, and still distinct.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// The base name of one kernel, whatever others are called.
std::string short_name_alone(const std::string& name);

// The base name of each kernel; where kernels share it, " (role)" is added, then " [variant]", then
// " #2", " #3" ... as far as needed to tell them apart.
void assign_short_names(std::vector<KernelAnalysis>& kernels);

// A short name without the number that tells it from others.
std::string shared_name(const std::string& short_name);

}  // namespace ridgepoint
