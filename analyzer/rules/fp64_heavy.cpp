#include <fmt/format.h>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Nsight Compute's FP-roofline rule: FP64 above 15 % of its peak while FP32 stays below 60 %.
constexpr double fp64_noticeable = 0.15;
constexpr double fp32_busy = 0.60;

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t) {
  const Ceiling* slow = context.analysis.ceiling("fp64");
  const Ceiling* fast = context.analysis.ceiling("fp32");
  if (slow == nullptr || fast == nullptr || !slow->theoretical || !fast->theoretical ||
      !kernel.flop.fp64 || !kernel.time_s || *kernel.time_s <= 0) {
    return std::nullopt;
  }
  const double fp64 = *kernel.flop.fp64;
  const double fp32 = kernel.flop.fp32.value_or(0);
  const double fp64_share = fp64 / *kernel.time_s / *slow->theoretical;
  const double fp32_share = fp32 / *kernel.time_s / *fast->theoretical;
  if (fp64_share <= fp64_noticeable || fp32_share >= fp32_busy) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{} uses {} of the FP64 peak", kernel.short_name, percent(fp64_share));
  d.explanation = fmt::format(
      "This GPU does {:.0f} times as many FP32 operations as FP64 ones. A literal without f or a "
      "call of a double function is often the only reason for them.",
      *fast->theoretical / *slow->theoretical);
  d.evidence = {{"FP64 FLOP / peak", fp64_share, "share", fp64_noticeable},
                {"FP32 FLOP / peak", fp32_share, "share", fp32_busy}};
  d.action = "Compute in FP32 where the result allows it; look for unintended double constants.";
  d.estimated_gain = bounded_gain(
      fp64 / (fp64 + fp32) * (1 - *slow->theoretical / *fast->theoretical) * fp64_share, 1);
  d.gain_formula = "FP64 / (FP32 + FP64) x (1 - FP64 peak / FP32 peak) x FP64 utilisation";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule fp64_heavy() {
  return {"fp64_heavy", "the algorithm needs double precision",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
