#include "analyzer/roofline/nsight_shares.h"

#include <gmock/gmock.h>

namespace ridgepoint {
namespace {

KernelAnalysis placed(double memory, double hbm, double l2, double sm) {
  KernelAnalysis kernel;
  kernel.quantities = {{"nsight_memory_share", memory},
                       {"nsight_hbm_share", hbm},
                       {"nsight_l2_share", l2},
                       {"nsight_sm_share", sm}};
  place_by_nsight_shares(kernel);
  return kernel;
}

TEST(NsightShares, TheLargerOfMemoryAndSmsBindsAndLeavesTheHeadroom) {
  const KernelAnalysis kernel = placed(0.8, 0.8, 0.5, 0.4);
  EXPECT_EQ(kernel.bound_by, BoundBy::hbm);
  EXPECT_DOUBLE_EQ(*kernel.headroom, 1.25);
  EXPECT_EQ(kernel.bound_basis, nsight_shares_basis);
  EXPECT_EQ(placed(0.7, 0.1, 0.7, 0.4).bound_by, BoundBy::l2);
  EXPECT_EQ(placed(0.9, 0.1, 0.2, 0.4).bound_by, BoundBy::smem);  // neither DRAM nor L2: L1
  EXPECT_EQ(placed(0.3, 0.1, 0.3, 0.9).bound_by, BoundBy::compute);
}

TEST(NsightShares, BelowSixtyPercentItIsLatency) {
  const KernelAnalysis kernel = placed(0.5, 0.5, 0.1, 0.59);
  EXPECT_EQ(kernel.bound_by, BoundBy::latency);
  EXPECT_DOUBLE_EQ(*kernel.headroom, 1 / 0.59);
}

TEST(NsightShares, LeaveOurOwnVerdictAndUnknownOnesAlone) {
  KernelAnalysis ours;
  ours.bound_by = BoundBy::smem;
  ours.quantities = {{"nsight_memory_share", 0.9}, {"nsight_sm_share", 0.1}};
  place_by_nsight_shares(ours);
  EXPECT_EQ(ours.bound_by, BoundBy::smem);
  EXPECT_EQ(ours.bound_basis, "");
  KernelAnalysis half;
  half.quantities = {{"nsight_memory_share", 0.9}};
  place_by_nsight_shares(half);
  EXPECT_EQ(half.bound_by, BoundBy::unknown);
  EXPECT_EQ(placed(0, 0, 0, 0).bound_by, BoundBy::unknown);
}

}  // namespace
}  // namespace ridgepoint
