#include "analyzer/roofline/nsight_shares.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/roofline/placement.h"

namespace ridgepoint {

void place_by_nsight_shares(KernelAnalysis& kernel) {
  if (kernel.bound_by != BoundBy::unknown || !kernel.quantity("nsight_hbm_share") ||
      !kernel.quantity("nsight_sm_share")) {
    return;
  }
  constexpr std::array<std::pair<const char*, BoundBy>, 4> shares = {
      {{"nsight_hbm_share", BoundBy::hbm},
       {"nsight_l2_share", BoundBy::l2},
       {"nsight_l1_share", BoundBy::smem},
       {"nsight_sm_share", BoundBy::compute}}};
  double highest = 0;
  BoundBy nearest = BoundBy::latency;
  for (const auto& [quantity, bound] : shares) {
    const double share = kernel.quantity(quantity).value_or(0);
    if (share > highest) {
      highest = share;
      nearest = bound;
    }
  }
  if (!(highest > 0)) {
    return;
  }
  kernel.bound_by = highest < latency_bound_below ? BoundBy::latency : nearest;
  kernel.headroom = std::max(1.0, 1 / highest);
  kernel.bound_basis = nsight_shares_basis;
}

}  // namespace ridgepoint
