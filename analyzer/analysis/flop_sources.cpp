#include "analyzer/analysis/flop_sources.h"

#include <fmt/format.h>

#include "analyzer/analysis/checks.h"

namespace ridgepoint {

void check_flop_sources(const KernelAnalysis& kernel, std::vector<Issue>& issues) {
  const auto warpgroup = kernel.quantity("gmma_instructions");
  const auto warp = kernel.quantity("mma_instructions");
  if (kernel.flop.tensor && (warpgroup || warp)) {
    const double instructions = warpgroup.value_or(0) + warp.value_or(0);
    // The tensor pipe also does packed half-precision arithmetic, which is no matrix product:
    // without warpgroup instructions its count says nothing.
    if (*kernel.flop.tensor <= 0 && warpgroup.value_or(0) > 0) {
      issues.push_back(
          {"flop.uncounted_type",
           fmt::format("{} executed {:.0f} wgmma instructions, but none of the types whose FLOP "
                       "were counted: its FLOP and intensity are too low",
                       kernel.short_name, *warpgroup)});
    } else if (*kernel.flop.tensor > 0 && warpgroup && warp && instructions <= 0) {
      issues.push_back(
          {"flop.without_instructions",
           fmt::format("{:.3g} tensor FLOP are counted for {}, which executed no tensor "
                       "instruction: the counters belong to different runs",
                       *kernel.flop.tensor, kernel.short_name)});
    }
  }
  // At full rate an active cycle does the peak's FLOP; no instruction does more.
  const auto active = kernel.quantity("tensor_pipe_active_share");
  const bool by_tensor = kernel.flop.precision.rfind("tensor_", 0) == 0;
  if (active && by_tensor && kernel.compute_utilisation &&
      *kernel.compute_utilisation > utilisation_limit * *active) {
    issues.push_back(
        {"flop.above_pipe",
         fmt::format("{} did {:.1f} % of the tensor peak's FLOP while the tensor pipe was active "
                     "for {:.1f} % of its cycles: one of the two is wrong",
                     kernel.short_name, *kernel.compute_utilisation * 100, *active * 100)});
  }
}

}  // namespace ridgepoint
