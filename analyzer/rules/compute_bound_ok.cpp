#include <fmt/format.h>

#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

constexpr double high_throughput = 0.80;  // Nsight Compute calls a kernel above this well used

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  if (kernel.bound_by != BoundBy::compute) {
    return std::nullopt;
  }
  const auto pipe = busiest_pipe(kernel);
  const double flop_share = kernel.compute_utilisation.value_or(0);
  const bool by_pipe = pipe && pipe->share > flop_share;
  const double used = by_pipe ? pipe->share : flop_share;
  Diagnosis d;
  d.severity = Severity::info;
  d.title = by_pipe
                ? fmt::format("{} is bound by compute: its {} busy to {}", kernel.short_name,
                              pipe->name == "issue slots" ? "issue slots are" : pipe->name + " is",
                              percent(used))
                : fmt::format("{} is bound by compute: {} of the {} peak", kernel.short_name,
                              percent(used), kernel.flop.precision);
  d.explanation =
      "Its nearest roof is arithmetic. Low HBM or L2 utilisation is then a sign of good reuse, not "
      "a fault, and "
      "bandwidth targets do not apply to it.";
  d.evidence = {
      {by_pipe ? pipe->name : std::string("compute utilisation"), used, "share", high_throughput}};
  if (by_pipe && kernel.compute_utilisation) {
    d.evidence.push_back({"compute utilisation", flop_share, "share", std::nullopt});
  }
  if (kernel.utilisation[MemoryLevel::hbm]) {
    d.evidence.push_back({"HBM bandwidth utilisation", *kernel.utilisation[MemoryLevel::hbm],
                          "share", std::nullopt});
  }
  if (kernel.intensity[MemoryLevel::hbm]) {
    d.evidence.push_back(
        {"intensity at HBM", *kernel.intensity[MemoryLevel::hbm], "FLOP/byte", std::nullopt});
  }
  d.action = used >= high_throughput ? "Little is left in this formulation: a faster kernel needs "
                                       "less work (skip masked tiles) or a "
                                       "narrower type."
                                     : "Keep the tensor pipe fed: overlap the softmax of one tile "
                                       "with the products of the next, and issue "
                                       "loads earlier.";
  d.gain_formula = "not estimated: the kernel does what its roof allows";
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule compute_bound_ok() {
  return {"compute_bound_ok", "a memory roof is nearer than the compute roof",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
