#include <fmt/format.h>

#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

constexpr double high_throughput = 0.80;  // Nsight Compute calls a kernel above this well used

bool by_tensor(const KernelAnalysis& kernel) {
  return kernel.bound_pipe.empty() ? kernel.flop.precision.rfind("tensor_", 0) == 0
                                   : kernel.bound_pipe == "tensor pipe";
}

std::string advice(const KernelAnalysis& kernel, double used) {
  if (used >= high_throughput) {
    return "Little is left in this formulation: a faster kernel needs less work or a narrower "
           "type.";
  }
  if (by_tensor(kernel)) {
    return kernel.role == "attention"
               ? "Keep the tensor pipe fed: overlap the softmax of one tile with the products of "
                 "the next, and issue loads earlier."
               : "Keep the tensor pipe fed: issue loads earlier, and overlap the work between "
                 "products with the products.";
  }
  return fmt::format(
      "Give the {} less to do, or move work to a unit that idles; what waits between its "
      "instructions can be overlapped.",
      kernel.bound_pipe.empty() ? "arithmetic units" : kernel.bound_pipe);
}

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  if (kernel.bound_by != BoundBy::compute) {
    return std::nullopt;
  }
  const double used = arithmetic_utilisation(kernel).value_or(0);
  const bool by_pipe = !kernel.bound_pipe.empty();
  Diagnosis d;
  d.severity = Severity::info;
  d.title = by_pipe ? fmt::format("{} is bound by compute: its {} is busy to {}", kernel.short_name,
                                  kernel.bound_pipe, percent(used))
                    : fmt::format("{} is bound by compute: {} of the {} peak", kernel.short_name,
                                  percent(used), kernel.flop.precision);
  d.explanation =
      "Its nearest roof is arithmetic. Low HBM or L2 utilisation is then a sign of good reuse, not "
      "a fault, and "
      "bandwidth targets do not apply to it.";
  d.evidence = {{by_pipe ? kernel.bound_pipe : std::string("compute utilisation"), used, "share",
                 high_throughput}};
  if (by_pipe && kernel.compute_utilisation) {
    d.evidence.push_back(
        {"compute utilisation", *kernel.compute_utilisation, "share", std::nullopt});
  }
  if (kernel.utilisation[MemoryLevel::hbm]) {
    d.evidence.push_back({"HBM bandwidth utilisation", *kernel.utilisation[MemoryLevel::hbm],
                          "share", std::nullopt});
  }
  if (kernel.intensity[MemoryLevel::hbm]) {
    d.evidence.push_back(
        {"intensity at HBM", *kernel.intensity[MemoryLevel::hbm], "FLOP/byte", std::nullopt});
  }
  d.action = advice(kernel, used);
  d.gain_formula = "not estimated: the kernel does what its roof allows";
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule compute_bound_ok() {
  return {"compute_bound_ok", "a memory roof or the issue slots are nearer than the compute roof",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
