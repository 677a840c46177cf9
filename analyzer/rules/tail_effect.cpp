#include <fmt/format.h>

#include <cmath>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"
#include "analyzer/rules/waves.h"

namespace ridgepoint {
namespace {

// Nsight Compute's tail-effect rule: at least one whole wave and a partial one after it. The
// partial wave may take as long as a whole one, and is one of 1 + whole waves. Reported from 20 %.
constexpr double reported_from = 0.20;

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const double waves = kernel.occupancy.waves.value_or(0);
  if (!has_tail(waves)) {
    return std::nullopt;
  }
  const double wave_share = 1 / (1 + std::floor(waves));
  auto found = wave_loss(kernel, wave_share, "1 / (1 + whole waves)", std::floor(waves));
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
  d.evidence.insert(d.evidence.begin() + 1,
                    {"time of the last wave, at most", wave_share, "share", reported_from});
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
