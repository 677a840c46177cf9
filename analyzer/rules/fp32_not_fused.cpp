#include <fmt/format.h>

#include <algorithm>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Nsight Compute's floating-point rule: pairs of an addition and a multiplication that became one
// instruction would spare the FMA pipe one of the two. Its estimate halves them all; where there
// are more of one kind than of the other, what is left over has nothing to pair with, and a kernel
// that only multiplies has nothing to fuse. Below 1 % of the kernel's time nothing is worth
// changing.
constexpr double noticeable = 0.01;

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const double additions = kernel.quantity("fp32_add_instructions").value_or(0);
  const double products = kernel.quantity("fp32_mul_instructions").value_or(0);
  const double fused = kernel.quantity("fp32_fma_instructions").value_or(0);
  auto pipe = kernel.quantity("fma_pipe_share");
  const double pairs = std::min(additions, products);
  if (!(pairs > 0) || fused < 0 || !pipe) {
    return std::nullopt;
  }
  // Of the whole time, on the mean SM.
  *pipe *= kernel.balance.active_mean_share.value_or(1);
  const double all = additions + products + fused;
  const double gain = bounded_gain(pairs / all * *pipe, 1);
  if (gain < noticeable) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format(
      "{}: {} of its FP32 instructions are additions and multiplications that could "
      "be one",
      kernel.short_name, percent(2 * pairs / all));
  d.explanation =
      "A fused multiply-add takes the same slot as either alone. The estimate supposes that as "
      "many "
      "pair up as there are of the rarer kind; sums and maxima do not.";
  d.evidence = {{"additions / FP32 instructions", additions / all, "share", std::nullopt},
                {"multiplications / FP32 instructions", products / all, "share", std::nullopt},
                {"FMA pipe", *pipe, "share", std::nullopt}};
  d.action =
      "Write a * b + c where a product is added to something, scale inside the exponent (one "
      "multiply-add before exp2), and check that the compiler may contract (-fmad=true).";
  d.estimated_gain = gain;
  d.gain_formula =
      "min(additions, multiplications) / FP32 instructions x FMA pipe share of the time";
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
