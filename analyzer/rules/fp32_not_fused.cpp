#include <fmt/format.h>

#include <algorithm>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Nsight Compute's floating-point rule and its estimate: pairs of an addition and a multiplication
// that became one instruction would halve the time that the FMA pipe spends on them. It speaks of
// any; below 1 % of the kernel's time nothing is worth changing.
constexpr double noticeable = 0.01;

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const double apart = kernel.quantity("fp32_add_mul_instructions").value_or(0);
  const double fused = kernel.quantity("fp32_fma_instructions").value_or(0);
  auto pipe = kernel.quantity("fma_pipe_share");
  if (apart <= 0 || fused < 0 || !pipe) {
    return std::nullopt;
  }
  // Of the whole time, on the mean SM.
  *pipe *= kernel.balance.active_mean_share.value_or(1);
  const double share = apart / (apart + fused);
  const double gain = bounded_gain(0.5 * share * *pipe, 1);
  if (gain < noticeable) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format(
      "{}: {} of its FP32 instructions are separate additions and "
      "multiplications",
      kernel.short_name, percent(share));
  d.explanation =
      "A fused multiply-add takes the same slot as either alone. The estimate supposes that all of "
      "them pair up; sums and maxima do not.";
  d.evidence = {{"additions and multiplications / FP32 instructions", share, "share", std::nullopt},
                {"FMA pipe", *pipe, "share", std::nullopt}};
  d.action =
      "Write a * b + c where a product is added to something, scale inside the exponent (one "
      "multiply-add before exp2), and check that the compiler may contract (-fmad=true).";
  d.estimated_gain = gain;
  d.gain_formula = "half x share of separate instructions x FMA pipe share of the time";
  d.severity = Severity::notice;
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule fp32_not_fused() {
  return {"fp32_not_fused",
          "the additions and multiplications do not follow from each other, or rounding after each "
          "is wanted",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
