// What reaching a missed target would save.
#pragma once

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// For every missed target on a utilisation: with the same work, time falls by 1 - value / target;
// on latency by 1 - target / value. The cost of a million tokens falls with the time, where it is
// known. A stall ratio alone does not tell what time would be saved.
void add_savings(Analysis& analysis);

}  // namespace ridgepoint
