#include <fmt/format.h>

#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  if (kernel.bound_by != BoundBy::smem || kernel.bound_pipe != l1_data_stage) {
    return std::nullopt;
  }
  const double used = *l1_data_utilisation(kernel);
  Diagnosis d;
  d.title = fmt::format("{} is bound by L1: its data stage is busy to {}", kernel.short_name,
                        percent(used));
  d.explanation =
      "An SM's L1 cache and shared memory share one path of 128 bytes a clock. Loads that find "
      "their data in L1 fill it, although L2 and HBM idle.";
  d.evidence = {{"L1 data stage", used, "share", latency_bound_below}};
  if (const auto& smem = kernel.utilisation[MemoryLevel::smem]) {
    d.evidence.push_back({"of it shared memory", *smem, "share", std::nullopt});
  }
  if (const auto hit = kernel.quantity("l1_hit_rate")) {
    d.evidence.push_back({"L1 hit rate", *hit, "share", std::nullopt});
  }
  d.action =
      "Load what is used again once, into registers or by whole rows into shared memory, and use "
      "16-byte accesses of neighbouring threads: fragments of matrices by ldmatrix or wgmma.";
  d.estimated_gain = bounded_gain(1 - used, 1);
  d.gain_formula =
      "1 - L1 data stage: what is left below the roof at these accesses; each one less gains in "
      "proportion";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule l1_bandwidth_bound() {
  return {"l1_bandwidth_bound",
          "another roof is nearer, or it is shared memory that fills the stage "
          "(smem_bandwidth_bound speaks then)",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
