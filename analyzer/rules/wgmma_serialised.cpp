#include <fmt/format.h>

#include <algorithm>

#include "analyzer/rules/rule.h"
#include "analyzer/stalls/stall_names.h"

namespace ridgepoint {
namespace {

// Nsight Compute's stall threshold, for the reason that only warpgroup products have.
constexpr double leading = 0.30;
constexpr double well_used = 0.60;

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const double gmma = kernel.quantity("gmma_instructions").value_or(0);
  const auto active = kernel.quantity("tensor_pipe_active_share");
  const auto stall = std::find_if(kernel.stalls.begin(), kernel.stalls.end(),
                                  [](const StallShare& one) { return one.reason == "gmma"; });
  if (gmma <= 0 || !active || *active >= well_used || stall == kernel.stalls.end() ||
      stall->share < leading) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{}: warps wait for wgmma {} of the time while the tensor pipe idles",
                        kernel.short_name, percent(stall->share));
  d.explanation =
      "Each product is awaited before other work is done, so that products and softmax take turns "
      "instead of overlapping. ptxas does the same on its own where accumulators are touched "
      "between issue and wait, and says so with warning C7510.";
  d.evidence = {{"stalled on " + stall_words(stall->reason), stall->share, "share", leading},
                {"tensor pipe active", *active, "share", well_used}};
  d.action =
      "Issue the scores of the next key tile before the output product of this one and wait for "
      "the older group only (wgmma.wait_group 1); let two warpgroups take turns, one in its "
      "softmax while the other multiplies; keep accumulators untouched while products are under "
      "way.";
  d.estimated_gain = bounded_gain(stall->share, 1 - *active);
  d.gain_formula = "min(share stalled on GMMA, 1 - tensor pipe active)";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule wgmma_serialised() {
  return {
      "wgmma_serialised",
      "the tensor pipe is active for 60 % or more: waiting for it is then what limits the kernel",
      [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
