#include "analyzer/roofline/nsight_shares.h"

#include <algorithm>

#include "analyzer/roofline/placement.h"

namespace ridgepoint {
namespace {

BoundBy memory_unit(const KernelAnalysis& kernel, double memory) {
  constexpr double same = 0.005;
  if (kernel.quantity("nsight_hbm_share").value_or(0) >= memory - same) {
    return BoundBy::hbm;
  }
  return kernel.quantity("nsight_l2_share").value_or(0) >= memory - same ? BoundBy::l2
                                                                         : BoundBy::smem;
}

}  // namespace

void place_by_nsight_shares(KernelAnalysis& kernel) {
  const auto memory = kernel.quantity("nsight_memory_share");
  const auto sm = kernel.quantity("nsight_sm_share");
  if (kernel.bound_by != BoundBy::unknown || !memory || !sm) {
    return;
  }
  const double highest = std::max(*memory, *sm);
  if (!(highest > 0)) {
    return;
  }
  if (highest < latency_bound_below) {
    kernel.bound_by = BoundBy::latency;
  } else {
    kernel.bound_by = *sm > *memory ? BoundBy::compute : memory_unit(kernel, *memory);
  }
  kernel.headroom = std::max(1.0, 1 / highest);
  kernel.bound_basis = nsight_shares_basis;
}

}  // namespace ridgepoint
