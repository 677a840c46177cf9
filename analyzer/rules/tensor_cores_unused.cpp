#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/tensor_use.h"

namespace ridgepoint {
namespace {

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t) {
  constexpr std::array products = {"scores",   "output",         "attention",    "gradients",
                                   "d_scores", "query_gradient", "key_gradient", "value_gradient"};
  const bool product = std::find(products.begin(), products.end(), kernel.role) != products.end();
  const auto& tensor = kernel.flop.tensor;
  if (!product || !tensor || multiplies_on_tensor_cores(kernel) ||
      kernel.flop.total.value_or(0) <= 0 || !context.analysis.attention) {
    return std::nullopt;
  }
  const Ceiling* used = context.analysis.ceiling(kernel.flop.precision);
  const Ceiling* better = context.analysis.ceiling("tensor_" + context.analysis.attention->dtype);
  if (better == nullptr || !better->theoretical) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{} multiplies matrices without tensor cores", kernel.short_name);
  d.explanation = "All of its FLOP were done by the CUDA cores, although its inputs are 16-bit.";
  d.evidence = {{"tensor FLOP", *tensor, "FLOP", 1.0},
                {"FLOP", *kernel.flop.total, "FLOP", std::nullopt}};
  d.action = "Compute the products with mma.sync or wgmma, accumulating in FP32.";
  if (used != nullptr && used->theoretical && kernel.compute_utilisation) {
    d.estimated_gain = bounded_gain(
        *kernel.compute_utilisation * (1 - *used->theoretical / *better->theoretical), 1);
    d.gain_formula = "compute utilisation x (1 - peak of the units used / tensor peak)";
  }
  d.severity = severity_of_gain(d.estimated_gain.value_or(0));
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule tensor_cores_unused() {
  return {"tensor_cores_unused",
          "the kernel is no matrix product, or the GPU has no tensor cores for its type",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
