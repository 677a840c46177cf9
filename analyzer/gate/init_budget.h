#pragma once

#include "analyzer/analysis/analysis.h"
#include "analyzer/core/error.h"
#include "analyzer/gate/budget.h"

namespace ridgepoint {

struct InitOptions {
  double margin = 0.05;  // share by which times and bytes may exceed what was measured
};

// A first budget from a session that is good as it is: the conditions it was measured under, the
// median latency, traffic and error of each variant, FLOP and HBM bytes of each kernel; the times
// of kernels only where no variant has timed repeats. Fails when the session has nothing to hold,
// or a result in it is wrong.
Result<Budget> budget_from(const Analysis& analysis, const InitOptions& options = {});

}  // namespace ridgepoint
