// The kernels that a variant would launch for a problem, without launching them: the same tiles as
// kernels/attention/NAME chooses. One file a variant, one line in plan.cpp.
#pragma once

#include <string>
#include <vector>

#include "analyzer/attention/planned_kernel.h"
#include "analyzer/predict/gpu.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

struct PlannedLaunch {
  std::string name;
  PlannedKernel kernel;
  // The most that the kernel's launch bounds let the compiler use; blocks an SM follow from it.
  std::int64_t registers_per_thread = 0;
  double flop = 0;  // of its products
};

struct VariantPlan {
  std::string name;
  std::string description;
  std::vector<PlannedLaunch> launches;
  double workspace_bytes = 0;
  std::string unsupported;  // why the variant cannot run this; the rest is empty then
  double saved_bytes = 0;   // backward: kept from the forward pass beyond O and the LSE
  bool by_default = true;   // predicted where no variant is asked for by name
};

using PlanVariant = VariantPlan (*)(const AttentionShape&, const DeviceInfo&);

VariantPlan plan_naive(const AttentionShape& shape, const DeviceInfo& device);
VariantPlan plan_fused(const AttentionShape& shape, const DeviceInfo& device);
VariantPlan plan_hopper(const AttentionShape& shape, const DeviceInfo& device);
VariantPlan plan_split_kv(const AttentionShape& shape, const DeviceInfo& device);
VariantPlan plan_naive_backward(const AttentionShape& shape, const DeviceInfo& device);
VariantPlan plan_fused_backward(const AttentionShape& shape, const DeviceInfo& device);
VariantPlan plan_hopper_backward(const AttentionShape& shape, const DeviceInfo& device);
VariantPlan plan_hopper_deterministic_backward(const AttentionShape& shape,
                                               const DeviceInfo& device);

// Why kernels that are built for every GPU, and for these head dimensions, cannot run this; empty
// when they can.
std::string portable_unsupported(const AttentionShape& shape, const DeviceInfo& device,
                                 const std::vector<std::int32_t>& head_dims = {64, 128});

struct PlannedVariant {
  const char* name;
  PlanVariant plan;
};
// Of "forward" or "backward", in the order of kernels/attention/variants.cpp and
// backward_variants.cpp.
const std::vector<PlannedVariant>& planned_variants(const std::string& direction);

}  // namespace ridgepoint
