#include "analyzer/predict/plan.h"

namespace ridgepoint {

const std::vector<PlannedVariant>& planned_variants(const std::string& direction) {
  static const std::vector<PlannedVariant> forward = {
      {"naive", plan_naive}, {"fused", plan_fused}, {"hopper", plan_hopper}};
  static const std::vector<PlannedVariant> backward = {
      {"naive", plan_naive_backward},
      {"fused", plan_fused_backward},
      {"hopper", plan_hopper_backward},
      {"hopper_deterministic", plan_hopper_deterministic_backward}};
  return direction == "backward" ? backward : forward;
}

std::string portable_unsupported(const AttentionShape& shape, const DeviceInfo& device) {
  if (device.compute_capability_major < 8) {
    return "needs compute capability 8.0 or later";
  }
  if (shape.head_dim != 64 && shape.head_dim != 128) {
    return "built for head_dim 64 and 128, not " + std::to_string(shape.head_dim);
  }
  return {};
}

}  // namespace ridgepoint
