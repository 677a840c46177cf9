#include <fmt/format.h>

#include <algorithm>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Nsight Compute's shared-memory conflict rule: conflicts / wavefronts from 10 % on, and its
// estimate.
constexpr double noticeable = 0.10;

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const auto conflicts = kernel.quantity("smem_bank_conflicts");
  const auto wavefronts = kernel.quantity("smem_wavefronts");
  if (!conflicts || !wavefronts || *wavefronts <= 0 || *conflicts / *wavefronts < noticeable) {
    return std::nullopt;
  }
  const double share = std::min(1.0, *conflicts / *wavefronts);
  Diagnosis d;
  d.title = fmt::format("{}: {} of its shared-memory wavefronts are bank conflicts",
                        kernel.short_name, percent(share));
  d.explanation =
      "Threads of a warp hit different rows of one bank, so that one access takes several cycles.";
  d.evidence = {{"conflicts / wavefronts", share, "share", noticeable},
                {"wavefronts", *wavefronts, "1", std::nullopt}};
  d.action =
      "Swizzle the tile (XOR the 16-byte column with the row, as TMA's 128-byte swizzle does), or "
      "pad its rows by 16 "
      "bytes; use ldmatrix and 16-byte accesses.";
  if (const auto& used = kernel.utilisation[MemoryLevel::smem]) {
    d.evidence.push_back({"shared-memory utilisation", *used, "share", std::nullopt});
    d.estimated_gain = bounded_gain(share * *used, 1);
    d.gain_formula = "conflicts / wavefronts x shared-memory utilisation";
  }
  d.severity = severity_of_gain(d.estimated_gain.value_or(0));
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule smem_bank_conflicts() {
  return {"smem_bank_conflicts", "the kernel hardly uses shared memory",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
