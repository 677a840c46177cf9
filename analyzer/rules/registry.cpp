#include "analyzer/rules/registry.h"

#include <algorithm>

namespace ridgepoint {

namespace rules {
#define RIDGEPOINT_RULE(name) Rule name();
#include "analyzer/rules/rules.inc"
#undef RIDGEPOINT_RULE
}  // namespace rules

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> all = {
#define RIDGEPOINT_RULE(name) rules::name(),
#include "analyzer/rules/rules.inc"
#undef RIDGEPOINT_RULE
  };
  return all;
}

double gain_of_run(const Analysis& analysis, const Diagnosis& diagnosis) {
  double share = 0;
  for (std::size_t i = 0; i < analysis.kernels.size(); ++i) {
    const KernelAnalysis& kernel = analysis.kernels[i];
    const bool meant = diagnosis.kernel
                           ? *diagnosis.kernel == i
                           : diagnosis.variant.empty() || kernel.variant == diagnosis.variant;
    share += meant ? kernel.time_share.value_or(0) : 0;
  }
  return share * diagnosis.estimated_gain.value_or(0);
}

std::vector<Diagnosis> diagnose(const RuleContext& context) {
  std::vector<Diagnosis> all;
  for (const Rule& rule : all_rules()) {
    for (Diagnosis& diagnosis : rule.find(context)) {
      diagnosis.id = rule.id;
      diagnosis.not_applicable_when = rule.not_applicable_when;
      all.push_back(std::move(diagnosis));
    }
  }
  std::stable_sort(all.begin(), all.end(), [&](const Diagnosis& a, const Diagnosis& b) {
    const double gain_a = gain_of_run(context.analysis, a);
    const double gain_b = gain_of_run(context.analysis, b);
    return gain_a != gain_b ? gain_a > gain_b : a.severity > b.severity;
  });
  return all;
}

}  // namespace ridgepoint
