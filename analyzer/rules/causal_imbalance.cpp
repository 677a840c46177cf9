#include <fmt/format.h>

#include <algorithm>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"

namespace ridgepoint {
namespace {

// Nsight Compute's workload-imbalance threshold; see load_imbalance.
constexpr double noticeable = 0.05;

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t) {
  const auto& mean = kernel.balance.active_mean_share;
  const auto& most = kernel.balance.active_max_share;
  if (!is_causal_attention(context, kernel) || !mean || !most || *most - *mean < noticeable) {
    return std::nullopt;
  }
  const double idle = *most - *mean;
  Diagnosis d;
  d.title = fmt::format("{}: the causal mask leaves {} of the SMs' time idle", kernel.short_name,
                        percent(idle));
  d.explanation = fmt::format(
      "The last query tile of a head sees all keys, the first only one tile of them. The busiest "
      "SM works {} of the kernel's time, the mean SM {}.",
      percent(*most), percent(*mean));
  d.evidence = {{"SM active, mean", *mean, "share", *most},
                {"SM active, busiest", *most, "share", std::nullopt}};
  d.action =
      "Start the longest tiles first, or pair a long with a short one in one block; a persistent "
      "kernel that draws tiles from a counter, longest first, does both.";
  d.estimated_gain = bounded_gain(idle, 1);
  d.gain_formula = "(busiest - mean SM active cycles) / elapsed cycles";
  d.severity = severity_of_gain(idle);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule causal_imbalance() {
  return {
      "causal_imbalance",
      "the mask is not causal, or the kernel is not fused attention (load_imbalance speaks then)",
      [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
