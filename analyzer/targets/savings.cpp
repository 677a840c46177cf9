#include "analyzer/targets/savings.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint {
namespace {

std::optional<double> saved_share(const TargetResult& target) {
  if (target.verdict != Verdict::missed || !target.value || *target.value <= 0 ||
      target.target <= 0) {
    return std::nullopt;
  }
  if (target.at_least && target.unit == "share") {
    return 1 - *target.value / target.target;
  }
  return !target.at_least && target.unit == "s"
             ? std::optional<double>(1 - target.target / *target.value)
             : std::nullopt;
}

}  // namespace

void add_savings(Analysis& analysis) {
  for (TargetResult& target : analysis.targets) {
    target.time_saved_share = saved_share(target);
    if (!target.time_saved_share) {
      continue;
    }
    target.why +=
        fmt::format(" Reaching it would save {:.1f} % of the time", *target.time_saved_share * 100);
    const auto variant =
        std::find_if(analysis.variants.begin(), analysis.variants.end(),
                     [&](const VariantAnalysis& one) { return one.name == target.variant; });
    if (variant != analysis.variants.end() && variant->cost_per_million_tokens) {
      target.cost_saved_per_million_tokens =
          *variant->cost_per_million_tokens * *target.time_saved_share;
      target.why +=
          fmt::format(" and {:.3g} of the {:.3g} that a million tokens cost",
                      *target.cost_saved_per_million_tokens, *variant->cost_per_million_tokens);
    }
    target.why += ".";
  }
}

}  // namespace ridgepoint
