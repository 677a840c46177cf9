// Two sessions beside one another, as every format shows them.
#pragma once

#include <string>
#include <vector>

#include "analyzer/compare/compare.h"
#include "reports/presenters/table.h"

namespace ridgepoint {

// One row a variant or kernel: times, change, p, outcome.
Table subjects_table(const std::vector<SubjectChange>& subjects, const std::string& what);
// One row a quantity of one subject: before, now, and the change: a share
// of the first, or of shares their difference in points. Without `all`, the main quantities that
// moved by a percent or more, or that only one side has.
Table changes_table(const SubjectChange& subject, bool all);

std::string outcome_label(Outcome outcome);  // "not comparable"
std::string verdict_text(
    const Comparison& comparison);  // "Regression: fused: 11.9 % more time ..."
std::string method_text(const CompareOptions& options);  // the test and its thresholds
// "fused (was flash)" when the names differ, with how they were matched.
std::string subject_text(const SubjectChange& subject);

}  // namespace ridgepoint
