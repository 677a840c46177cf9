// Whether a session may be judged by a budget at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/compare/difference.h"
#include "analyzer/gate/budget.h"

namespace ridgepoint {

// Where the session's hardware, problem or way of measuring is not the budget's. What the session
// does not say counts as different: it cannot be known to be the same.
std::vector<Difference> unmet_conditions(const BudgetConditions& conditions,
                                         const Analysis& session);

// Why a time does not count: the SM clock is further than `tolerance` from the one that the limit
// was made at, or was not measured although the limit names one. Empty when it does.
std::string clock_objection(double expected_hz, const std::optional<double>& measured_hz,
                            double tolerance);

// The mean SM clock over the kernels of a variant, weighted by their times; empty unless all were
// measured.
std::optional<double> sm_clock_hz(const Analysis& analysis, const VariantAnalysis& variant);

}  // namespace ridgepoint
