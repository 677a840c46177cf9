// Tensor FLOP are told by three kinds of counters: operations by type, tensor instructions, and
// cycles in which the pipe was active. They see the same work, so where they cannot all be right an
// issue says so.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

void check_flop_sources(const KernelAnalysis& kernel, std::vector<Issue>& issues);

}  // namespace ridgepoint
