// All rules, and their verdict on an analysis.
#pragma once

#include <vector>

#include "analyzer/rules/rule.h"

namespace ridgepoint {

const std::vector<Rule>& all_rules();

// The share of the whole run's kernel time that a diagnosis would save; 0 when it estimates
// nothing.
double gain_of_run(const Analysis& analysis, const Diagnosis& diagnosis);

// Every rule applied, largest gain of the whole run first; among equals the louder one.
std::vector<Diagnosis> diagnose(const RuleContext& context);

}  // namespace ridgepoint
