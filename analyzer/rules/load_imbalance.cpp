#include <fmt/format.h>

#include "analyzer/rules/imbalance.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"

namespace ridgepoint {
namespace {

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  if (has_idle_sms(context, kernel, index) || is_causal_attention(context, kernel)) {
    return std::nullopt;
  }
  const auto balance = sm_balance(kernel);
  if (!balance || balance->idle() < noticeable_imbalance) {
    return std::nullopt;
  }
  Diagnosis d = imbalance_found(*balance, "SM");
  d.title = fmt::format("{}: SMs finish at different times, {} of their time is idle",
                        kernel.short_name, percent(balance->idle()));
  d.explanation = fmt::format(
      "The busiest SM works {} of the kernel's time, the mean SM {}{}. The kernel ends with its "
      "slowest SM.",
      percent(balance->busiest), percent(balance->mean),
      kernel.balance.active_min_share
          ? fmt::format(", the least busy {}", percent(*kernel.balance.active_min_share))
          : std::string());
  if (kernel.balance.active_min_share) {
    d.evidence.push_back(
        {"SM active, least busy", *kernel.balance.active_min_share, "share", std::nullopt});
  }
  d.action =
      "Give every SM the same work: smaller tiles at the end, a persistent kernel "
      "that fetches tiles from a "
      "counter, or a split along the reduction.";
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule load_imbalance() {
  return {"load_imbalance",
          "the grid has fewer blocks than SMs (small_grid speaks then), the mask is causal "
          "(causal_imbalance does), or other work shares the SMs",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
