// All rules, and their verdict on an analysis.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/rules/rule.h"

namespace ridgepoint {

const std::vector<Rule>& all_rules();

// The share of a run's kernel time that a diagnosis would save; 0 when it estimates nothing. The
// run is that of the diagnosis' variant, since variants are alternatives, or the whole program.
// Adds up the kernels' times once, for any number of diagnoses; the analysis must outlive it.
class RunGains {
 public:
  explicit RunGains(const Analysis& analysis);
  double of(const Diagnosis& diagnosis) const;

 private:
  const Analysis* analysis_;
  double share_of_run_ = 0;
  std::map<std::string, double> share_of_variant_;
};

// Every rule applied, most severe first; among equals the larger gain of the run.
std::vector<Diagnosis> diagnose(const RuleContext& context);

}  // namespace ridgepoint
