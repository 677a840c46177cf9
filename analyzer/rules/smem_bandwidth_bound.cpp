#include <fmt/format.h>

#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/tensor_use.h"

namespace ridgepoint {
namespace {

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t) {
  if (kernel.bound_by != BoundBy::smem || kernel.bound_pipe == l1_data_stage) {
    return std::nullopt;
  }
  const double used = *l1_data_utilisation(kernel);
  const bool mma = multiplies_on_tensor_cores(kernel);
  Diagnosis d;
  d.title = fmt::format("{} is bound by shared-memory bandwidth: its data stage is {} used",
                        kernel.short_name, percent(used));
  d.explanation =
      "An SM's shared memory and L1 give 128 bytes a clock between them, by one data stage, and "
      "the kernel's operands and copies take nearly all of them.";
  d.evidence = {{"utilisation of the data stage", used, "share", latency_bound_below}};
  if (const auto& alone = kernel.utilisation[MemoryLevel::smem]) {
    d.evidence.push_back({"shared-memory utilisation", *alone, "share", std::nullopt});
  }
  if (kernel.intensity[MemoryLevel::smem]) {
    d.evidence.push_back({"intensity at shared memory", *kernel.intensity[MemoryLevel::smem],
                          "FLOP/byte", std::nullopt});
  }
  d.action = mma ? "Give each warp more rows, so that an operand fragment feeds more mma, and hold "
                   "the operand that stays in registers; wgmma reads an operand once for 64 rows."
                 : "Hold reused values in registers (let each thread compute several results of a "
                   "product), exchange by shuffles only what must be "
                   "exchanged, and use 16-byte accesses.";
  const GainBelowRoof left =
      gain_below_roof(context, "smem", used, "utilisation of the data stage");
  d.estimated_gain = left.gain;
  d.gain_formula = left.formula;
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule smem_bandwidth_bound() {
  return {"smem_bandwidth_bound",
          "another roof is nearer, or it is the cache that fills the stage (l1_bandwidth_bound "
          "speaks then)",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
