#pragma once

#include <optional>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// Of L2's bytes those that it counts as neither read nor written: reductions and atomics. Empty
// where reads or writes were not measured, or the rest is too small a part to be seen: what
// different passes counted differs by so much.
std::optional<double> reduction_bytes(const Traffic& l2);

}  // namespace ridgepoint
