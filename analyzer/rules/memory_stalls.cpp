#include <fmt/format.h>

#include <algorithm>

#include "analyzer/rules/stall_rule.h"
#include "analyzer/stalls/stall_names.h"

namespace ridgepoint {
namespace {

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
  if (worst == kernel.stalls.end()) {
    return std::nullopt;
  }
  const double all = kernel.memory_stall_ratio.value_or(worst->share);
  auto found = stall_diagnosis(
      kernel, *worst,
      {fmt::format("{}: warps wait for memory {} of the time", kernel.short_name, percent(all)),
       fmt::format("The leading reason is {} with {} of all samples.", stall_words(worst->reason),
                   percent(worst->share)),
       advice(worst->reason)});
  if (found) {
    found->evidence.push_back({"memory stall ratio", all, "share", std::nullopt});
  }
  return found;
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
