// Kernels that spend part of their time waiting for other GPUs.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// "kernels.waiting", once for all of them: whatever is divided by the time of such a kernel is an
// average over its wait. Told by name, since no counter tells a wait in a loop from work; a fused
// kernel of another name that waits as well is not known.
void check_waiting_kernels(const std::vector<KernelAnalysis>& kernels, std::vector<Issue>& issues);

}  // namespace ridgepoint
