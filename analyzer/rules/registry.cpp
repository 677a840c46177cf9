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
  double meant_share = 0;
  double whole_share = 0;
  for (std::size_t i = 0; i < analysis.kernels.size(); ++i) {
    const KernelAnalysis& kernel = analysis.kernels[i];
    if (diagnosis.variant.empty() || kernel.variant == diagnosis.variant) {
      const double share = kernel.time_share.value_or(0);
      whole_share += share;
      meant_share += !diagnosis.kernel || *diagnosis.kernel == i ? share : 0;
    }
  }
  return whole_share > 0 ? meant_share / whole_share * diagnosis.estimated_gain.value_or(0) : 0;
}

namespace {

// A rule rates its finding by the kernel's own time. Where the kernel takes little of the run, so
// does the finding: else a loud one that hardly matters would hide below quiet ones that do.
void rate_by_run(const Analysis& analysis, Diagnosis& diagnosis) {
  if (diagnosis.estimated_gain &&
      diagnosis.severity == severity_of_gain(*diagnosis.estimated_gain)) {
    diagnosis.severity = severity_of_gain(gain_of_run(analysis, diagnosis));
  }
}

}  // namespace

std::vector<Diagnosis> diagnose(const RuleContext& context) {
  std::vector<Diagnosis> all;
  for (const Rule& rule : all_rules()) {
    for (Diagnosis& diagnosis : rule.find(context)) {
      diagnosis.id = rule.id;
      diagnosis.not_applicable_when = rule.not_applicable_when;
      rate_by_run(context.analysis, diagnosis);
      all.push_back(std::move(diagnosis));
    }
  }
  std::stable_sort(all.begin(), all.end(), [&](const Diagnosis& a, const Diagnosis& b) {
    if (a.severity != b.severity) {
      return a.severity > b.severity;
    }
    return gain_of_run(context.analysis, a) > gain_of_run(context.analysis, b);
  });
  return all;
}

}  // namespace ridgepoint
