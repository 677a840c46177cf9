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

// Why the kernel's times do not count: its SM clock lies outside the budget's range, or was not
// measured although the budget asks for one. Empty when they do.
std::string clock_objection(const BudgetConditions& conditions, const KernelAnalysis& kernel);

}  // namespace ridgepoint
