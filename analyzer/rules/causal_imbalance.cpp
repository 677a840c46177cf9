#include <fmt/format.h>

#include "analyzer/rules/imbalance.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"

namespace ridgepoint {
namespace {

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t) {
  const auto balance = sm_balance(kernel);
  if (!is_causal_attention(context, kernel) || !balance || balance->idle() < noticeable_imbalance) {
    return std::nullopt;
  }
  Diagnosis d = imbalance_found(*balance, "SM");
  d.title = fmt::format("{}: the causal mask leaves {} of the SMs' time idle", kernel.short_name,
                        percent(balance->idle()));
  d.explanation = fmt::format(
      "The last query tile of a head sees all keys, the first only one tile of them. The busiest "
      "SM works {} of the kernel's time, the mean SM {}.",
      percent(balance->busiest), percent(balance->mean));
  d.action =
      "Start the longest tiles first, or pair a long with a short one in one block; a persistent "
      "kernel that draws tiles from a counter, longest first, does both.";
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
