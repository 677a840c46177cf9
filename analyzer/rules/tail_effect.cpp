#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"

namespace ridgepoint {
namespace {

// Nsight Compute's tail-effect rule: at least one whole wave and a partial one after it. The
// partial wave may take as long as a whole one, and is one of 1 + whole waves. Reported from 20 %.
constexpr double reported_from = 0.20;
constexpr double noticeable = 0.05;  // of what the SMs really idled

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const double waves = kernel.occupancy.waves.value_or(0);
  if (!has_tail(waves)) {
    return std::nullopt;
  }
  double lost = 1 / (1 + std::floor(waves));
  const auto& balance = kernel.balance;
  const bool seen = balance.active_max_share && balance.active_mean_share;
  if (seen) {
    lost = std::min(lost, *balance.active_max_share - *balance.active_mean_share);
  }
  if (lost < noticeable) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{}: a partial wave of blocks follows {:.0f} whole", kernel.short_name,
                        std::floor(waves));
  d.explanation = fmt::format(
      "The last blocks fill {} of the device and can take as long as a whole wave, while the other "
      "SMs wait.",
      percent(waves - std::floor(waves)));
  d.evidence = {{"waves", waves, "1", std::floor(waves)},
                {"share of a wave", 1 / (1 + std::floor(waves)), "share", reported_from}};
  if (seen) {
    d.evidence.push_back({"idle SM time seen",
                          *balance.active_max_share - *balance.active_mean_share, "share",
                          noticeable});
  }
  d.action =
      "Choose a tile whose blocks fill whole waves, split the last tiles along the reduction, or "
      "run a persistent kernel that hands out tiles from a counter.";
  d.estimated_gain = bounded_gain(lost, 1);
  d.gain_formula =
      seen ? "min(1 / (1 + whole waves), (busiest - mean SM active cycles) / elapsed cycles)"
           : "1 / (1 + whole waves)";
  d.severity = severity_of_gain(lost);
  return d;
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
