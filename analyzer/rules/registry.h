// All rules, and their verdict on an analysis.
#pragma once

#include <vector>

#include "analyzer/rules/rule.h"

namespace ridgepoint {

const std::vector<Rule>& all_rules();

// The share of a run's kernel time that a diagnosis would save; 0 when it estimates nothing. The
// run is that of the diagnosis' variant, since variants are alternatives, or the whole program.
double gain_of_run(const Analysis& analysis, const Diagnosis& diagnosis);

// Every rule applied, most severe first; among equals the larger gain of the run.
std::vector<Diagnosis> diagnose(const RuleContext& context);

}  // namespace ridgepoint
