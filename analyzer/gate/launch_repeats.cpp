#include "analyzer/gate/launch_repeats.h"

#include <algorithm>
#include <cmath>

#include "analyzer/compare/launch_quantities.h"
#include "analyzer/compare/significance.h"
#include "analyzer/core/grouped_digits.h"

namespace ridgepoint {

LaunchRepeats::LaunchRepeats(const KernelAnalysis& kernel, const KernelAnalysis* before,
                             const std::string& quantity, double alpha)
    : launches_(kernel.launches), per_launch_(per_launch_id(quantity)) {
  const std::vector<double>* now = launch_times_behind(kernel, quantity);
  if (now == nullptr) {
    return;
  }
  if (before != nullptr) {
    const std::vector<double>* base = launch_times_behind(*before, quantity);
    const auto test = base != nullptr ? mann_whitney(*base, *now) : std::nullopt;
    if (!test || test->smallest_p > alpha) {
      return;
    }
    base_s_ = *base;
    std::sort(base_s_.begin(), base_s_.end());
  } else if (std::pow(0.5, static_cast<double>(now->size())) > alpha) {
    return;  // all of them beyond the limit: the least p of the sign test
  }
  now_s_ = *now;
  std::sort(now_s_.begin(), now_s_.end());
}

std::string LaunchRepeats::why_untested(const QuantityInfo& quantity) const {
  if (launches_ == 1) {
    return "one launch";
  }
  const std::string launches = grouped_count(launches_) + " launches";
  if (adds_up_over_launches(quantity)) {
    return "all of " + launches + " together" +
           (per_launch_.empty() ? "" : ", \"" + per_launch_ + "\" is of one");
  }
  return launches + " are too few, or not each was timed";
}

}  // namespace ridgepoint
