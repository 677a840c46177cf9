#include <fmt/format.h>

#include <algorithm>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Nsight Compute's issue-slot rule: fewer than 0.6 instructions a cycle and scheduler. Its
// children, occupancy and the leading stall, have rules of their own here; this one speaks when
// neither explains it.
constexpr double low_issue = 0.60;
constexpr double full_occupancy = 0.80;
constexpr double leading_stall = 0.30;

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const auto issue = kernel.quantity("issue_active_share");
  const auto room = room_below_roofs(kernel);
  const bool explained =
      kernel.occupancy.theoretical.value_or(1) < full_occupancy ||
      std::any_of(kernel.stalls.begin(), kernel.stalls.end(), [](const StallShare& stall) {
        return stall.reason != "selected" && stall.share >= leading_stall;
      });
  if (!issue || *issue >= low_issue || kernel.bound_by != BoundBy::latency || !room || explained) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{}: schedulers issue in only {} of their cycles", kernel.short_name,
                        percent(*issue));
  d.explanation =
      "Enough warps are resident, no single stall stands out, and no roof is near: each warp has "
      "too few independent instructions between its waits.";
  d.evidence = {{"issue slots used", *issue, "share", low_issue}};
  if (const auto eligible = kernel.quantity("warps_eligible")) {
    d.evidence.push_back({"warps eligible a cycle", *eligible, "1", 1.0});
  }
  d.action =
      "Unroll the inner loop and interleave independent work, so that a warp can issue while its "
      "loads are under way.";
  d.estimated_gain = bounded_gain(1 - *issue, *room);
  d.gain_formula = "min(1 - issue slots used, 1 - highest utilisation)";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule issue_slots_low() {
  return {"issue_slots_low",
          "a roof is near, occupancy is low, or one stall reason leads: their rules speak then",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
