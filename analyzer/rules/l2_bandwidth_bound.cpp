#include <fmt/format.h>

#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t) {
  if (kernel.bound_by != BoundBy::l2) {
    return std::nullopt;
  }
  const double used = *kernel.utilisation[MemoryLevel::l2];
  Diagnosis d;
  d.title =
      fmt::format("{} is bound by L2 bandwidth: {} of the peak", kernel.short_name, percent(used));
  d.explanation =
      "What the SMs ask of L2 takes longer than HBM or the arithmetic: data is reused, but by "
      "different blocks instead of within one.";
  d.evidence = {{"L2 bandwidth utilisation", used, "share", latency_bound_below}};
  if (const auto bytes = kernel.traffic[MemoryLevel::l2].looked_up()) {
    d.evidence.push_back({"bytes looked up in L2", *bytes, "byte", std::nullopt});
  }
  if (const auto hit = kernel.quantity("l2_hit_rate")) {
    d.evidence.push_back({"L2 hit rate", *hit, "share", std::nullopt});
  }
  d.action = kernel.role == "attention"
                 ? "Use taller query tiles, so that each key tile serves more rows, or let the "
                   "blocks of a cluster share K and V by multicast."
                 : "Use larger tiles, so that what a block has read serves more of its work.";
  const GainBelowRoof left = gain_below_roof(context, "l2", used, "L2 utilisation");
  d.estimated_gain = left.gain;
  d.gain_formula = left.formula;
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule l2_bandwidth_bound() {
  return {"l2_bandwidth_bound", "another roof is nearer",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
