#include "analyzer/rules/stall_rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint {
namespace {

constexpr double leading = 0.30;
constexpr double enough_issue = 0.80;

}  // namespace

std::optional<Diagnosis> leading_stall(const KernelAnalysis& kernel, const StallRule& rule) {
  const auto stall = std::find_if(kernel.stalls.begin(), kernel.stalls.end(),
                                  [&](const StallShare& one) { return one.reason == rule.reason; });
  const auto issue = kernel.quantity("issue_active_share");
  if (stall == kernel.stalls.end() || stall->share < leading || (issue && *issue >= enough_issue)) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{}: warps {} {} of the time", kernel.short_name, rule.what,
                        percent(stall->share));
  d.explanation = rule.why;
  d.evidence = {{"stalled on " + stall->reason, stall->share, "share", leading}};
  if (issue) {
    d.evidence.push_back({"issue slots used", *issue, "share", enough_issue});
  }
  d.action = rule.action;
  if (const auto room = room_below_roofs(kernel)) {
    d.estimated_gain = bounded_gain(stall->share, *room);
    d.gain_formula = "min(share of this stall, 1 - highest utilisation)";
  }
  d.severity = severity_of_gain(d.estimated_gain.value_or(0));
  return d;
}

}  // namespace ridgepoint
