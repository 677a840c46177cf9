#include "analyzer/predict/plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint {

const std::vector<PlannedVariant>& planned_variants(const std::string& direction) {
  static const std::vector<PlannedVariant> forward = {{"naive", plan_naive},
                                                      {"fused", plan_fused},
                                                      {"hopper", plan_hopper},
                                                      {"split_kv", plan_split_kv}};
  static const std::vector<PlannedVariant> backward = {
      {"naive", plan_naive_backward},
      {"fused", plan_fused_backward},
      {"hopper", plan_hopper_backward},
      {"hopper_deterministic", plan_hopper_deterministic_backward}};
  return direction == "backward" ? backward : forward;
}

std::string portable_unsupported(const AttentionShape& shape, const DeviceInfo& device,
                                 const std::vector<std::int32_t>& head_dims) {
  if (device.compute_capability_major < 8) {
    return "needs compute capability 8.0 or later";
  }
  if (std::find(head_dims.begin(), head_dims.end(), shape.head_dim) == head_dims.end()) {
    return fmt::format("built for head_dim {} and {}, not {}",
                       fmt::join(head_dims.begin(), head_dims.end() - 1, ", "), head_dims.back(),
                       shape.head_dim);
  }
  return {};
}

}  // namespace ridgepoint
