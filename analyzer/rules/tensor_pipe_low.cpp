#include <fmt/format.h>

#include <algorithm>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

constexpr double well_used = 0.60;  // Nsight Compute calls a pipe's utilisation high from here
constexpr double leading = 0.30;

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const double gmma = kernel.quantity("gmma_instructions").value_or(0);
  const auto active = kernel.quantity("tensor_pipe_active_share");
  const auto room = room_below_roofs(kernel);
  const bool waits_for_products = std::any_of(
      kernel.stalls.begin(), kernel.stalls.end(),
      [](const StallShare& stall) { return stall.reason == "gmma" && stall.share >= leading; });
  if (gmma <= 0 || !active || *active >= well_used || !room || waits_for_products ||
      kernel.bound_by != BoundBy::latency) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{} uses wgmma, but the tensor pipe is active only {} of the time",
                        kernel.short_name, percent(*active));
  d.explanation =
      "Nothing else is near its limit either: the products are not fed or not issued in time.";
  d.evidence = {{"tensor pipe active", *active, "share", well_used}};
  if (const auto xu = kernel.quantity("xu_pipe_share")) {
    d.evidence.push_back({"special-function pipe", *xu, "share", std::nullopt});
  }
  d.action =
      "Give copies to a producer warp that runs ahead by two or more stages, use a warpgroup more "
      "for each block, and put the softmax of one warpgroup beside the products of another.";
  d.estimated_gain = bounded_gain(1 - *active / well_used, *room);
  d.gain_formula = "min(1 - tensor pipe active / 60 %, 1 - highest utilisation)";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule tensor_pipe_low() {
  return {"tensor_pipe_low",
          "another roof or pipe is near, or warps wait for wgmma (wgmma_serialised speaks then)",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
