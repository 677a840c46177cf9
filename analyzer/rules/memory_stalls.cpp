#include <fmt/format.h>

#include <algorithm>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Nsight Compute's stall rule: one reason above 30 %, while issue slots are used below 80 %.
constexpr double leading = 0.30;
constexpr double enough_issue = 0.80;

std::string advice(const std::string& reason) {
  if (reason == "long_scoreboard") {
    return "Warps wait for global memory or L2: issue loads earlier (asynchronous copies, a deeper "
           "pipeline), keep what is "
           "reused in shared memory, and give the scheduler more warps.";
  }
  if (reason == "short_scoreboard") {
    return "Warps wait for shared memory or the special-function unit: remove bank conflicts, load "
           "wider, and put "
           "independent work between the request and its use.";
  }
  if (reason == "drain") {
    return "Warps wait for their stores at exit: write results wider and coalesced, or through "
           "shared memory by bulk copies.";
  }
  return "The queue of memory instructions is full: use fewer and wider accesses, and spread them "
         "over the kernel.";
}

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const auto worst = std::find_if(kernel.stalls.begin(), kernel.stalls.end(),
                                  [](const StallShare& stall) { return stall.memory; });
  const auto issue = kernel.quantity("issue_active_share");
  if (worst == kernel.stalls.end() || worst->share < leading || (issue && *issue >= enough_issue)) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{}: warps wait for memory {} of the time", kernel.short_name,
                        percent(kernel.memory_stall_ratio.value_or(worst->share)));
  d.explanation = fmt::format("The leading reason is {} with {} of all samples.", worst->reason,
                              percent(worst->share));
  d.evidence = {
      {"stalled on " + worst->reason, worst->share, "share", leading},
      {"memory stall ratio", kernel.memory_stall_ratio.value_or(0), "share", std::nullopt}};
  if (issue) {
    d.evidence.push_back({"issue slots used", *issue, "share", enough_issue});
  }
  d.action = advice(worst->reason);
  if (const auto room = room_below_roofs(kernel)) {
    d.estimated_gain = bounded_gain(worst->share, *room);
    d.gain_formula = "min(share of the leading memory stall, 1 - highest utilisation)";
  }
  d.severity = severity_of_gain(d.estimated_gain.value_or(0));
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule memory_stalls() {
  return {"memory_stalls",
          "issue slots are used at 80 % or more: stalled warps do not cost time then",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
