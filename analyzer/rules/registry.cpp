#include "analyzer/rules/registry.h"

#include <algorithm>

#include "analyzer/rules/confidence.h"
#include "analyzer/session/whole_graph.h"

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

RunGains::RunGains(const Analysis& analysis) : analysis_(&analysis) {
  for (const KernelAnalysis& kernel : analysis.kernels) {
    const double share = kernel.time_share.value_or(0);
    share_of_run_ += share;
    share_of_variant_[kernel.variant] += share;
  }
}

double RunGains::of(const Diagnosis& diagnosis) const {
  double whole_share = share_of_run_;
  if (!diagnosis.variant.empty()) {
    const auto found = share_of_variant_.find(diagnosis.variant);
    whole_share = found == share_of_variant_.end() ? 0 : found->second;
  }
  double meant_share = whole_share;
  if (diagnosis.kernel) {
    const auto& kernels = analysis_->kernels;
    const bool meant =
        *diagnosis.kernel < kernels.size() &&
        (diagnosis.variant.empty() || kernels[*diagnosis.kernel].variant == diagnosis.variant);
    meant_share = meant ? kernels[*diagnosis.kernel].time_share.value_or(0) : 0;
  }
  return whole_share > 0 ? meant_share / whole_share * diagnosis.estimated_gain.value_or(0) : 0;
}

namespace {

// Rules look at a kernel's shape, which a whole graph does not have.
bool is_of_whole_graph(const Analysis& analysis, const Diagnosis& diagnosis) {
  return diagnosis.kernel && *diagnosis.kernel < analysis.kernels.size() &&
         analysis.kernels[*diagnosis.kernel].name.rfind(whole_graph_name, 0) == 0;
}

// A rule rates its finding by the kernel's own time. Where the kernel takes little of the run, so
// does the finding: else a loud one that hardly matters would hide below quiet ones that do.
void rate_by_run(const RunGains& gains, Diagnosis& diagnosis) {
  if (diagnosis.estimated_gain &&
      diagnosis.severity == severity_of_gain(*diagnosis.estimated_gain)) {
    diagnosis.severity = severity_of_gain(gains.of(diagnosis));
  }
}

}  // namespace

std::vector<Diagnosis> diagnose(const RuleContext& context) {
  const RunGains gains(context.analysis);
  const SharedSamples shared(context.analysis.kernels);
  std::vector<Diagnosis> all;
  for (const Rule& rule : all_rules()) {
    for (Diagnosis& diagnosis : rule.find(context)) {
      if (is_of_whole_graph(context.analysis, diagnosis)) {
        continue;
      }
      diagnosis.id = rule.id;
      diagnosis.not_applicable_when = rule.not_applicable_when;
      rate_by_run(gains, diagnosis);
      rate_confidence(context.analysis, shared, diagnosis);
      all.push_back(std::move(diagnosis));
    }
  }
  std::stable_sort(all.begin(), all.end(), [&](const Diagnosis& a, const Diagnosis& b) {
    if (a.severity != b.severity) {
      return a.severity > b.severity;
    }
    return gains.of(a) > gains.of(b);
  });
  return all;
}

}  // namespace ridgepoint
