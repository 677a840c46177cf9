#include <fmt/format.h>

#include "analyzer/rules/imbalance.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"

namespace ridgepoint {
namespace {

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const auto balance = balance_of(kernel, "l2_slice_cycles_active_mean",
                                  "l2_slice_cycles_active_max", "l2_slice_cycles_elapsed");
  if (!balance || balance->idle() < noticeable_imbalance || has_idle_sms(context, kernel, index)) {
    return std::nullopt;
  }
  Diagnosis d = imbalance_found(*balance, "L2 slice");
  // What an idle slice costs depends on how near L2 is to its roof, which the share of active
  // cycles does not tell.
  d.severity = Severity::notice;
  d.title = fmt::format("{}: its addresses load the slices of L2 unevenly", kernel.short_name);
  d.explanation = fmt::format(
      "Addresses are hashed over the slices, and the busiest works {} of the time where the mean "
      "one works {}. A kernel of a few microseconds shows this for its first and last accesses "
      "alone.",
      percent(balance->busiest), percent(balance->mean));
  d.action =
      "Let many blocks not read or write the same few lines at once: counters and flags of their "
      "own lines, reductions within a block first.";
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule l2_slice_imbalance() {
  return {"l2_slice_imbalance", "some SMs get no block (small_grid speaks then)",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
