#include <fmt/format.h>

#include <cmath>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"
#include "analyzer/rules/waves.h"

namespace ridgepoint {
namespace {

// Nsight Compute's tail-effect rule looks for the same, at least one whole wave and a partial one
// after it, and takes the partial wave for lost: one of 1 + whole waves. Its blocks have to run
// somewhere, so what could be gained is only the part of the device that it leaves idle.

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const double waves = kernel.occupancy.waves.value_or(0);
  if (!has_tail(waves)) {
    return std::nullopt;
  }
  auto found =
      wave_loss(kernel, 1 - waves / std::ceil(waves), "1 - waves / ceil(waves)", std::floor(waves));
  if (!found) {
    return std::nullopt;
  }
  Diagnosis& d = *found;
  d.title = fmt::format("{}: a partial wave of blocks follows {:.0f} whole", kernel.short_name,
                        std::floor(waves));
  d.explanation = fmt::format(
      "The last blocks fill {} of the device and can take as long as a whole wave, while the other "
      "SMs wait.",
      percent(waves - std::floor(waves)));
  d.action =
      "Choose a tile whose blocks fill whole waves, split the last tiles along the reduction, or "
      "run a persistent kernel that hands out tiles from a counter.";
  return found;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule tail_effect() {
  return {"tail_effect",
          "blocks fill whole waves, there are five or more of them (wave_quantisation speaks "
          "then), or the kernel is persistent",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
