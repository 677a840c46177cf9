// Another precision: what the next narrower type that the chip multiplies would gain. The gain is
// the roofs': the products take the time of the narrower type's peak, what is read from each level
// shrinks with the elements, and what does not shrink (exponentials, issue slots, results) becomes
// the next limit. After the roofline argument of the mixed-precision literature: halved elements
// halve the bytes and double the tensor rate.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/tensor_use.h"

namespace ridgepoint {
namespace {

constexpr double noticeable = 0.05;
constexpr double mostly_fused = 0.80;  // of FP32 instructions: a matrix product is multiply-adds
constexpr std::int32_t hopper = 9;

struct Step {
  const char* from;
  const char* to;
  double bytes;  // an element's, new / old
  const char* how;
};
constexpr std::array<Step, 4> steps = {{
    {"fp32", "tensor_tf32", 1.0,
     "Do its products on the tensor cores in TF32, which reads the same FP32 arrays and keeps 10 "
     "bits of mantissa; sums stay in FP32."},
    {"tensor_tf32", "tensor_bf16", 0.5,
     "Hold its operands in BF16 (the same range as TF32, 7 bits of mantissa), with sums in FP32."},
    {"tensor_fp16", "tensor_fp8", 0.5,
     "Hold its operands in FP8 E4M3 (3 bits of mantissa) with a scale for each block of them, and "
     "keep sums in FP32."},
    {"tensor_bf16", "tensor_fp8", 0.5,
     "Hold its operands in FP8 E4M3 (3 bits of mantissa) with a scale for each block of them, and "
     "keep sums in FP32."},
}};

const Step* step_from(const std::string& precision) {
  const auto found = std::find_if(steps.begin(), steps.end(),
                                  [&](const Step& step) { return precision == step.from; });
  return found == steps.end() ? nullptr : &*found;
}

// FP32 on the CUDA cores may be anything; what multiplies and adds throughout may be a product.
bool may_be_product(const KernelAnalysis& kernel) {
  if (kernel.flop.precision != "fp32") {
    return true;
  }
  if (multiplies_on_tensor_cores(kernel)) {
    return false;  // it does: of a type whose FLOP have no counter
  }
  const double fused = kernel.quantity("fp32_fma_instructions").value_or(0);
  const double apart = kernel.quantity("fp32_add_mul_instructions").value_or(0);
  return fused > 0 && fused / (fused + apart) >= mostly_fused;
}

// mma.sync has not the full rate there: mma_where_wgmma_exists comes first.
bool wants_wgmma(const KernelAnalysis& kernel, const DeviceInfo& device) {
  return device.compute_capability_major == hopper && kernel.flop.tensor.value_or(0) > 0 &&
         kernel.quantity("mma_instructions").value_or(0) > 0 &&
         kernel.quantity("gmma_instructions").value_or(0) <= 0;
}

// Intermediates in HBM are better kept on chip than made narrower: materialised_intermediates.
bool has_better_advice(const KernelAnalysis& kernel) {
  constexpr std::array roles = {"scores", "softmax", "output", "d_scores"};
  return std::find(roles.begin(), roles.end(), kernel.role) != roles.end();
}

// The share of the time that a level would still need: results keep their type.
double level_after(const KernelAnalysis& kernel, MemoryLevel level, double element_bytes) {
  const double used = kernel.utilisation[level].value_or(0);
  const Traffic& traffic = kernel.traffic[level];
  // Of what uses the level's bandwidth: what merged in L2 does not.
  const double merged = traffic.merged.value_or(0);
  const double read = traffic.read && traffic.total && *traffic.total > merged
                          ? std::min(1.0, (*traffic.read - merged) / (*traffic.total - merged))
                          : 1.0;
  return used * (1 - read + read * element_bytes);
}

struct Limits {
  double tensor = 0;  // of the time now, that the products alone would need after the step
  double rest = 0;    // the largest of everything else
  const char* next = "";
};

Limits limits_after(const KernelAnalysis& kernel, const Step& step, double peaks) {
  Limits limits;
  const double products =
      std::max(kernel.compute_utilisation.value_or(0),
               kernel.flop.precision == "fp32"
                   ? 0.0
                   : share_of_time(kernel, "tensor_pipe_active_share").value_or(0));
  limits.tensor = products * peaks;
  const auto consider = [&](double share, const char* name) {
    if (share > limits.rest) {
      limits.rest = share;
      limits.next = name;
    }
  };
  consider(level_after(kernel, MemoryLevel::hbm, step.bytes), "HBM");
  consider(level_after(kernel, MemoryLevel::l2, step.bytes), "L2");
  consider(level_after(kernel, MemoryLevel::smem, step.bytes), "shared memory");
  for (const auto& [quantity, name] : {std::pair("xu_pipe_share", "the special-function pipe"),
                                       std::pair("alu_pipe_share", "the ALU pipe"),
                                       std::pair("issue_active_share", "the issue slots")}) {
    consider(share_of_time(kernel, quantity).value_or(0), name);
  }
  if (kernel.flop.precision != "fp32") {
    consider(share_of_time(kernel, "fma_pipe_share").value_or(0), "the FMA pipe");
  }
  return limits;
}

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const Step* step = step_from(kernel.flop.precision);
  const bool bound = kernel.bound_by == BoundBy::compute || kernel.bound_by == BoundBy::hbm;
  if (step == nullptr || !bound || !may_be_product(kernel) || has_better_advice(kernel) ||
      wants_wgmma(kernel, *context.devices[index])) {
    return std::nullopt;
  }
  const Ceiling* now = context.analysis.ceiling(step->from);
  const Ceiling* then = context.analysis.ceiling(step->to);
  const auto used = kernel.bound_by == BoundBy::hbm ? kernel.utilisation[MemoryLevel::hbm]
                                                    : arithmetic_utilisation(kernel);
  if (now == nullptr || then == nullptr || !now->theoretical || !then->theoretical ||
      *then->theoretical <= *now->theoretical || !used) {
    return std::nullopt;
  }
  const Limits limits = limits_after(kernel, *step, *now->theoretical / *then->theoretical);
  const double gain = bounded_gain(*used - std::max(limits.tensor, limits.rest), 1);
  if (gain < noticeable) {
    return std::nullopt;
  }
  const bool hbm = kernel.bound_by == BoundBy::hbm;
  Diagnosis d;
  d.title = fmt::format("{}: {} in place of {} would {}", kernel.short_name, then->label,
                        now->label, hbm ? "move fewer bytes" : "raise the roof of its products");
  d.explanation = fmt::format(
      "{} is used to {}. With {} products the tensor cores would need {} of the present time; "
      "{} would come next, with {}.",
      hbm ? "HBM" : "The arithmetic", percent(*used), then->label, percent(limits.tensor),
      *limits.next == '\0' ? "nothing that was measured" : limits.next, percent(limits.rest));
  d.evidence = {{hbm ? "HBM bandwidth utilisation" : "arithmetic utilisation", *used, "share",
                 latency_bound_below},
                {"peak of " + then->label + " / peak of " + now->label,
                 *then->theoretical / *now->theoretical, "1", 1.0},
                {"products after the change", limits.tensor, "share", std::nullopt},
                {"next limit", limits.rest, "share", std::nullopt}};
  d.action =
      std::string(step->how) +
      (kernel.role == "attention"
           ? " Of attention that is Q, K, V and P; the softmax between the products stays in "
             "FP32. Check the error against a reference in double precision."
           : " Check the error against the present result.");
  d.estimated_gain = gain;
  d.gain_formula =
      "utilisation - max(products at the narrower peak, bytes read at the narrower element, other "
      "pipes, issue slots)";
  d.severity =
      Severity::notice;  // a choice to be weighed against the error, however large the gain
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule narrower_precision() {
  return {"narrower_precision",
          "the result needs the present type's mantissa or range, the chip has no faster unit for "
          "a narrower one, something that does not shrink (exponentials, issue slots, results) is "
          "as near a limit, or FP32 multiply-adds are no matrix product",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
