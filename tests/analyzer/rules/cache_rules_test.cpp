// What Nsight Compute's rules say of caches, instruction mix and unevenness, on invented kernels.
#include <gmock/gmock.h>

#include "analyzer/roofline/placement.h"
#include "tests/analyzer/rules/one_kernel.h"

namespace ridgepoint::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct CacheRules : OneKernel {
  void binds_l1(double share) {
    measured("l1_wavefront_share", share);
    kernel().bound_by = BoundBy::smem;
    kernel().bound_pipe = l1_data_stage;
  }
};

TEST_F(CacheRules, AFullL1DataStageBindsAndLeavesTheRest) {
  binds_l1(0.9);
  const auto found = fired("l1_bandwidth_bound");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.1, 1e-12);
  EXPECT_THAT(fired("smem_bandwidth_bound"), IsEmpty()) << "it is not shared memory that fills it";
}

TEST_F(CacheRules, SharedMemoryThatFillsTheStageIsCalledSharedMemory) {
  binds_l1(0.9);
  kernel().bound_pipe.clear();
  kernel().utilisation[MemoryLevel::smem] = 0.85;
  EXPECT_THAT(fired("l1_bandwidth_bound"), IsEmpty());
  EXPECT_THAT(fired("smem_bandwidth_bound"), SizeIs(1));
}

struct PartlyUsedSectors : CacheRules {
  PartlyUsedSectors() {
    kernel().utilisation[MemoryLevel::l2] = 0.9;
    kernel().traffic[MemoryLevel::l2].total = 640e6;
  }
  void loads(double used_bytes, double asked_bytes, double l1_hit_rate) {
    measured("global_load_bytes_per_sector", used_bytes);
    measured("global_load_requested_bytes", asked_bytes);
    measured("global_load_l1_hit_rate", l1_hit_rate);
  }
};

TEST_F(PartlyUsedSectors, CostTheShareOfL2ThatTheirUnusedBytesTake) {
  loads(16, 160e6, 0.5);  // 10 million sectors; 160 MB of them unused, 80 MB past L1
  const auto found = fired("partly_used_sectors");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 80e6 / 640e6 * 0.9, 1e-12);
  EXPECT_THAT(found[0].title, HasSubstr("loads use 16 of the 32 bytes"));
  EXPECT_THAT(found[0].gain_formula, HasSubstr("bytes looked up in L2 x L2 utilisation"));
}

TEST_F(PartlyUsedSectors, ThatL1HoldsCostTheTimeOfItsDataStage) {
  loads(16, 160e6, 1);  // 10 million sectors, half used
  measured("global_load_sectors", 10e6);
  measured("global_store_sectors", 10e6);
  measured("l1_wavefront_share", 0.7);  // of which shared memory takes 0.2
  const auto found = fired("partly_used_sectors");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.25 * (0.7 - 0.2), 1e-12);
}

TEST_F(PartlyUsedSectors, AreNotWorthAWordWhereTheyAreFew) {
  measured("global_store_bytes_per_sector", 4);  // as in a kernel that stores by TMA
  measured("global_store_sectors", 256);
  EXPECT_THAT(fired("partly_used_sectors"), IsEmpty());
}

// Counted before the bytes asked for were: the sectors are those of cp.async as well.
TEST_F(PartlyUsedSectors, OfLoadsMixedWithAsynchronousCopiesHaveNoEstimate) {
  measured("global_load_bytes_per_sector", 16);
  measured("global_load_sectors", 10e6);
  const auto found = fired("partly_used_sectors");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].estimated_gain);
  EXPECT_THAT(found[0].explanation, HasSubstr("cp.async"));
  device.compute_capability_major = 7;  // which has no such copies
  EXPECT_NEAR(*fired("partly_used_sectors")[0].estimated_gain, 160e6 / 640e6 * 0.9, 1e-12);
}

TEST_F(PartlyUsedSectors, WholeSectorsAndAbsentAccessesAreFine) {
  loads(32, 160e6, 0);
  measured("global_store_bytes_per_sector", 0);  // no stores
  EXPECT_THAT(fired("partly_used_sectors"), IsEmpty());
}

TEST_F(CacheRules, SectorsBeyondTheIdealAreNotCoalesced) {
  measured("global_sectors", 100);
  measured("global_sectors_ideal", 60);
  const auto found = fired("uncoalesced_global");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.4 * 0.2, 1e-12);
}

TEST_F(CacheRules, IdealSectorsOverruleTheGuessByRequests) {
  measured("global_sectors", 60);
  measured("global_sectors_ideal", 60);
  measured("global_load_sectors", 3200);  // 32 a request: wide elements, all used
  measured("global_load_requests", 100);
  EXPECT_THAT(fired("uncoalesced_global"), IsEmpty());
}

TEST_F(CacheRules, AdditionsAndMultiplicationsThatCouldPairCostOneSlotAPair) {
  measured("fp32_add_instructions", 1.5e6);
  measured("fp32_mul_instructions", 1.5e6);
  measured("fp32_fma_instructions", 1e6);
  measured("fma_pipe_share", 0.4);
  kernel().balance.active_mean_share = 1;
  const auto found = fired("fp32_not_fused");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 1.5 / 4 * 0.4, 1e-12);
}

TEST_F(CacheRules, WhatIsLeftOverOfOneKindHasNothingToFuseWith) {
  measured("fp32_add_instructions", 0.5e6);
  measured("fp32_mul_instructions", 1.5e6);
  measured("fp32_fma_instructions", 2e6);
  measured("fma_pipe_share", 0.4);
  kernel().balance.active_mean_share = 1;
  EXPECT_NEAR(*fired("fp32_not_fused").at(0).estimated_gain, 0.5 / 4 * 0.4, 1e-12);
}

TEST_F(CacheRules, AKernelThatOnlyMultipliesHasNothingToFuse) {
  measured("fp32_add_instructions", 0);
  measured("fp32_mul_instructions", 3e6);
  measured("fp32_fma_instructions", 0);
  measured("fma_pipe_share", 0.9);
  EXPECT_THAT(fired("fp32_not_fused"), IsEmpty());
}

TEST_F(CacheRules, ASumThatIsScaledAtItsEndHasNothingToFuse) {
  measured("fp32_add_instructions", 3e6);
  measured("fp32_mul_instructions", 0.02e6);
  measured("fp32_fma_instructions", 0);
  measured("fma_pipe_share", 0.9);
  EXPECT_THAT(fired("fp32_not_fused"), IsEmpty());
}

TEST_F(CacheRules, AnIdleFmaPipeIsNotWorthFusingFor) {
  measured("fp32_add_instructions", 1.5e6);
  measured("fp32_mul_instructions", 1.5e6);
  measured("fp32_fma_instructions", 0);
  measured("fma_pipe_share", 0.015);
  EXPECT_THAT(fired("fp32_not_fused"), IsEmpty());
}

struct Unevenness : OneKernel {
  void cycles(const std::string& unit, double mean, double busiest, double elapsed) {
    measured(unit + "_cycles_active_mean", mean);
    measured(unit + "_cycles_active_max", busiest);
    measured(unit + "_cycles_elapsed", elapsed);
  }
};

TEST_F(Unevenness, SchedulersThatFinishApartWithinTheirSmsAreFound) {
  cycles("subpartition", 70, 90, 100);
  const auto found = fired("subpartition_imbalance");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.2, 1e-12);
}

TEST_F(Unevenness, WhereWholeSmsFinishApartTheirRuleSpeaksAlone) {
  cycles("subpartition", 70, 90, 100);
  kernel().balance = {0.5, 0.7, 0.9};
  EXPECT_THAT(fired("subpartition_imbalance"), IsEmpty());
  EXPECT_THAT(fired("load_imbalance"), SizeIs(1));
}

TEST_F(Unevenness, SlicesOfL2CountOnlyWithWorkOnEverySm) {
  cycles("l2_slice", 60, 80, 100);
  EXPECT_THAT(fired("l2_slice_imbalance"), SizeIs(1));
  kernel().grid = {1, 1, 1};
  EXPECT_THAT(fired("l2_slice_imbalance"), IsEmpty());
}

TEST_F(Unevenness, CyclesOfDifferentPassesNeverMakeMoreThanTheWholeTime) {
  cycles("l2_slice", 90, 110, 100);  // the busiest slice outlasts the kernel
  const auto found = fired("l2_slice_imbalance");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(found[0].evidence[1].value, 1.0, 1e-12);
}

}  // namespace
}  // namespace ridgepoint::testing
