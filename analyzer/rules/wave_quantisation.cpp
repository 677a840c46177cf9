#include <fmt/format.h>

#include <cmath>

#include "analyzer/core/grouped_digits.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"
#include "analyzer/rules/waves.h"

namespace ridgepoint {
namespace {

// Blocks of equal length run in ceil(waves) steps where waves would do; Nsight Compute's tail
// effect is the same idea for the last wave alone.

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  if (!kernel.occupancy.waves || *kernel.occupancy.waves <= 1 ||
      has_tail(*kernel.occupancy.waves)) {
    return std::nullopt;
  }
  const double waves = *kernel.occupancy.waves;
  auto found =
      wave_loss(kernel, 1 - waves / std::ceil(waves), "1 - waves / ceil(waves)", std::ceil(waves));
  if (!found) {
    return std::nullopt;
  }
  Diagnosis& d = *found;
  d.title = fmt::format("{}: its blocks make {:.2f} waves, the last one leaves SMs idle",
                        kernel.short_name, waves);
  d.explanation =
      fmt::format("{} block{} run {} an SM at a time, so the last wave is filled to {}.",
                  grouped_count(static_cast<std::int64_t>(count(kernel.grid))),
                  count(kernel.grid) == 1 ? "" : "s", kernel.occupancy.blocks_per_sm.value_or(0),
                  percent(waves - std::floor(waves)));
  d.action =
      "Choose a tile whose block count is close below a multiple of what the device holds at once, "
      "run a persistent "
      "kernel with one block an SM, or split the last tiles along the reduction.";
  return found;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule wave_quantisation() {
  return {"wave_quantisation",
          "blocks differ in length, the kernel is persistent, or a partial wave follows fewer than "
          "five "
          "whole ones (tail_effect speaks then)",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
