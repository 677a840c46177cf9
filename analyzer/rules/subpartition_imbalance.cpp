#include <fmt/format.h>

#include "analyzer/rules/imbalance.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"

namespace ridgepoint {
namespace {

// Where whole SMs finish unevenly their sub-partitions do too: this speaks of what lies within an
// SM only.
std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const auto within = balance_of(kernel, "subpartition_cycles_active_mean",
                                 "subpartition_cycles_active_max", "subpartition_cycles_elapsed");
  const auto between = sm_balance(kernel);
  if (!within || within->idle() < noticeable_imbalance || has_idle_sms(context, kernel, index) ||
      (between && between->idle() >= noticeable_imbalance)) {
    return std::nullopt;
  }
  Diagnosis d = imbalance_found(*within, "sub-partition");
  d.title =
      fmt::format("{}: the four schedulers of an SM finish at different times", kernel.short_name);
  d.explanation = fmt::format(
      "A warp stays with one scheduler for life. The busiest works {} of the kernel's time, the "
      "mean one {}, although the SMs themselves finish together.",
      percent(within->busiest), percent(within->mean));
  d.action =
      "Give a block a multiple of four warps with equal work, and let warps of different roles "
      "(producer, consumer) be spread over the schedulers.";
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule subpartition_imbalance() {
  return {"subpartition_imbalance",
          "the SMs finish at different times (load_imbalance speaks then), or some get no block",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
