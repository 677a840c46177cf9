// The gate: a session against a budget.
#pragma once

#include "analyzer/analysis/analysis.h"
#include "analyzer/gate/budget.h"
#include "analyzer/gate/check_result.h"

namespace ridgepoint {

// `baseline` may be null; limits relative to it then have no verdict. Every subject that a check
// matches gives one result a limit, and every variant that was checked against a reference one more
// for its correctness: times of a wrong result are no good news.
GateResult judge_budget(const Budget& budget, const Analysis& session, const Analysis* baseline);

}  // namespace ridgepoint
