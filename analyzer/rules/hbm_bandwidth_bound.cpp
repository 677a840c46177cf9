#include <fmt/format.h>

#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Nearest roof is HBM and at least 60 % of it is used, the same line that separates latency from
// throughput. From 80 % on (Nsight Compute: "high throughput") only fewer bytes help.
constexpr double saturated = 0.80;

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t) {
  if (kernel.bound_by != BoundBy::hbm) {
    return std::nullopt;
  }
  const double used = *kernel.utilisation[MemoryLevel::hbm];
  Diagnosis d;
  d.title =
      fmt::format("{} is bound by HBM bandwidth: {} of the peak", kernel.short_name, percent(used));
  d.explanation = fmt::format(
      "It moves {} at {}, and no other roof is as near. Its time follows the bytes it "
      "moves, so faster "
      "arithmetic would not show.",
      with_prefix(*kernel.traffic[MemoryLevel::hbm].total, "B"),
      with_prefix(*kernel.bandwidth[MemoryLevel::hbm], "B/s"));
  d.evidence = {{"HBM bandwidth utilisation", used, "share", latency_bound_below},
                {"HBM bytes", *kernel.traffic[MemoryLevel::hbm].total, "byte", std::nullopt}};
  if (kernel.intensity[MemoryLevel::hbm]) {
    d.evidence.push_back(
        {"intensity at HBM", *kernel.intensity[MemoryLevel::hbm], "FLOP/byte", std::nullopt});
  }
  if (kernel.compute_utilisation) {
    d.evidence.push_back(
        {"compute utilisation", *kernel.compute_utilisation, "share", std::nullopt});
  }
  d.action =
      used >= saturated
          ? "Move fewer bytes: fuse it with the kernel that produces or consumes its data, keep "
            "intermediates on chip, or store them in a narrower type."
          : "First move fewer bytes (fuse with the neighbouring kernel, narrower types); then "
            "raise the bandwidth with 16-byte accesses and more loads in flight.";
  const GainBelowRoof left = gain_below_roof(context, "hbm", used, "HBM utilisation");
  d.estimated_gain = left.gain;
  d.gain_formula = left.formula;
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule hbm_bandwidth_bound() {
  return {"hbm_bandwidth_bound", "another roof is nearer",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
