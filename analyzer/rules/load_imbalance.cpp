#include <fmt/format.h>

#include <algorithm>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"

namespace ridgepoint {
namespace {

// Nsight Compute's workload-imbalance rule for SMs: (1 - mean / max) weighted by active over
// elapsed cycles, from 5 %.
constexpr double noticeable = 0.05;

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  // SMs that get no block at all are small_grid's business.
  if (static_cast<double>(count(kernel.grid)) <
      static_cast<double>(context.devices[index]->sm_count)) {
    return std::nullopt;
  }
  if (is_causal_attention(context, kernel)) {
    return std::nullopt;
  }
  const auto& mean = kernel.balance.active_mean_share;
  const auto& most = kernel.balance.active_max_share;
  if (!mean || !most || *most - *mean < noticeable) {
    return std::nullopt;
  }
  const double idle = *most - *mean;
  Diagnosis d;
  d.title = fmt::format("{}: SMs finish at different times, {} of their time is idle",
                        kernel.short_name, percent(idle));
  d.explanation = fmt::format(
      "The busiest SM works {} of the kernel's time, the mean SM {}{}. The kernel ends with its "
      "slowest SM.",
      percent(*most), percent(*mean),
      kernel.balance.active_min_share
          ? fmt::format(", the least busy {}", percent(*kernel.balance.active_min_share))
          : std::string());
  d.evidence = {{"SM active, mean", *mean, "share", *most},
                {"SM active, busiest", *most, "share", std::nullopt}};
  if (kernel.balance.active_min_share) {
    d.evidence.push_back(
        {"SM active, least busy", *kernel.balance.active_min_share, "share", std::nullopt});
  }
  d.action =
      "Give every SM the same work: smaller tiles at the end, a persistent kernel "
      "that fetches tiles from a "
      "counter, or a split along the reduction.";
  d.estimated_gain = bounded_gain(idle, 1);
  d.gain_formula = "(busiest - mean SM active cycles) / elapsed cycles";
  d.severity = severity_of_gain(idle);
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
