#include <fmt/format.h>

#include <cmath>

#include "analyzer/rules/imbalance.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"
#include "analyzer/rules/waves.h"

namespace ridgepoint {
namespace {

// Nsight Compute's tail-effect rule looks for the same, at least one whole wave and a partial one
// after it, and counts the partial wave as lost: one of 1 + whole waves. Its blocks have to run
// somewhere, so what can be gained is only the part of it that is empty: of ceil(waves) rounds,
// waves would do.

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const double waves = kernel.occupancy.waves.value_or(0);
  if (!has_tail(waves)) {
    return std::nullopt;
  }
  const double empty = 1 - waves / std::ceil(waves);
  auto found = wave_loss(kernel, empty, "1 - waves / ceil(waves)", std::floor(waves));
  if (!found) {
    return std::nullopt;
  }
  Diagnosis& d = *found;
  d.title = fmt::format("{}: a partial wave of blocks follows {:.0f} whole", kernel.short_name,
                        std::floor(waves));
  d.explanation = fmt::format(
      "Blocks of equal length take {:.0f} rounds where {:.2f} would do: those of the last fill {} "
      "of the device, while the other SMs wait.",
      std::ceil(waves), waves, percent(waves - std::floor(waves)));
  d.evidence.insert(d.evidence.begin() + 1,
                    {"empty part of all waves", empty, "share", noticeable_imbalance, true});
  d.action =
      "Choose a tile whose blocks fill whole waves, split the last tiles along the reduction, or "
      "run a persistent kernel that hands out tiles from a counter.";
  return found;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule tail_effect() {
  return {
      "tail_effect",
      "the last wave is nearly full, so that less than 5 % of all waves is empty, blocks differ "
      "in length, there are five or more whole waves (wave_quantisation speaks then), or the "
      "kernel is persistent",
      [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
