#include "analyzer/predict/plan.h"

namespace ridgepoint {

const std::vector<PlannedVariant>& planned_variants() {
  static const std::vector<PlannedVariant> all = {
      {"naive", plan_naive}, {"fused", plan_fused}, {"hopper", plan_hopper}};
  return all;
}

}  // namespace ridgepoint
