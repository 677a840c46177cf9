#include <fmt/format.h>

#include <algorithm>

#include "analyzer/core/text.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Nsight Compute's theoretical-occupancy rule: below 80 % of the warps an SM holds, and its
// estimate.
constexpr double low_occupancy = 0.80;
constexpr double enough_issue = 0.80;

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const Occupancy& occupancy = kernel.occupancy;
  const bool limited =
      occupancy.limiter == "shared memory";  // tied limits: low_occupancy_latency speaks
  const auto room = room_below_roofs(kernel);
  if (!limited || !occupancy.theoretical || *occupancy.theoretical >= low_occupancy || !room ||
      kernel.bound_by != BoundBy::latency) {
    return std::nullopt;
  }
  const auto issue = kernel.quantity("issue_active_share");
  if (issue && *issue >= enough_issue) {
    return std::nullopt;
  }
  const DeviceInfo& device = *context.devices[index];
  const std::int64_t blocks = occupancy.blocks_per_sm.value_or(0);
  const std::int64_t for_one_more =
      device.smem_per_sm_bytes / (blocks + 1) - device.smem_reserved_per_block_bytes;
  Diagnosis d;
  d.title = fmt::format("{}: shared memory allows only {} block{} an SM", kernel.short_name, blocks,
                        blocks == 1 ? "" : "s");
  d.explanation = fmt::format(
      "Each block takes {} of the {} of shared memory an SM has, which leaves {} of its "
      "warps. No roof is near, so "
      "there are too few warps to hide latency.",
      memory_size_text(kernel.smem_per_block_bytes.value_or(0)),
      memory_size_text(device.smem_per_sm_bytes), percent(*occupancy.theoretical));
  d.evidence = {
      {"theoretical occupancy", *occupancy.theoretical, "share", low_occupancy, true},
      {"shared memory a block", static_cast<double>(kernel.smem_per_block_bytes.value_or(0)),
       "byte", static_cast<double>(std::max<std::int64_t>(0, for_one_more)), true, true},
      {"blocks an SM", static_cast<double>(blocks), "1", std::nullopt}};
  if (issue) {
    d.evidence.push_back({"issue slots used", *issue, "share", enough_issue});
  }
  d.action = fmt::format(
      "Bring a block to at most {} for one more block an SM: fewer stages of the streamed "
      "operand, a smaller tile "
      "along the keys, or output staging that reuses the query tile. Or keep the tile and hide "
      "latency inside the block "
      "with asynchronous copies.",
      memory_size_text(std::max<std::int64_t>(0, for_one_more)));
  d.estimated_gain = bounded_gain(1 - *occupancy.theoretical, *room);
  d.gain_formula = "min(1 - theoretical occupancy, 1 - highest utilisation)";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule smem_capacity_limited() {
  return {"smem_capacity_limited",
          "a roof is near (60 % or more), or issue slots are used at 80 % or more: few warps are "
          "enough then",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
