#include "tests/analyzer/rules/one_kernel.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct SmemCapacityLimited : testing::OneKernel {
  SmemCapacityLimited() {
    kernel().smem_per_block_bytes = 160 * 1024;
    kernel().occupancy = {0.12, 0.125, 1, "shared memory", 10.0};
    kernel().utilisation[MemoryLevel::smem] = 0.5;
  }
};

TEST_F(SmemCapacityLimited, FiresAndSaysWhatOneMoreBlockNeeds) {
  const auto found = fired("smem_capacity_limited");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].action, HasSubstr("113 KiB"));  // 233,472 / 2 - 1,024
  EXPECT_NEAR(*found[0].estimated_gain, 0.5, 1e-12);   // min(1 - 0.125, 1 - 0.5)
}

TEST_F(SmemCapacityLimited, IsSilentWhenARoofIsNear) {
  kernel().compute_utilisation = 0.75;
  kernel().bound_by = BoundBy::compute;
  EXPECT_THAT(fired("smem_capacity_limited"), IsEmpty());
}

TEST_F(SmemCapacityLimited, IsSilentWhenFewWarpsKeepTheSchedulersBusy) {
  measured("issue_active_share", 0.85);
  EXPECT_THAT(fired("smem_capacity_limited"), IsEmpty());
}

struct LowOccupancyLatency : testing::OneKernel {};

TEST_F(LowOccupancyLatency, FiresWhenRegistersLimitTheWarps) {
  kernel().registers_per_thread = 255;
  kernel().occupancy = {0.12, 0.125, 1, "registers", 10.0};
  const auto found = fired("low_occupancy_latency");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].action, HasSubstr("255 registers"));
  EXPECT_NEAR(*found[0].estimated_gain, 0.7, 1e-12);
}

TEST_F(LowOccupancyLatency, NamesBothLimitsWhereTheyTie) {
  kernel().registers_per_thread = 168;
  kernel().smem_per_block_bytes = 81920;
  kernel().occupancy = {0.24, 0.25, 2, "registers, shared memory", 10.0};
  const auto found = fired("low_occupancy_latency");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].action, HasSubstr("168 registers"));
  EXPECT_THAT(found[0].action, HasSubstr("80 KiB"));
  EXPECT_THAT(found[0].action, HasSubstr("alone changes nothing"));
}

TEST_F(LowOccupancyLatency, LeavesRoomForBusyPipesInItsEstimate) {
  kernel().occupancy = {0.12, 0.125, 1, "registers", 10.0};
  measured("tensor_pipe_active_share", 0.55);
  EXPECT_NEAR(*fired("low_occupancy_latency")[0].estimated_gain, 0.45, 1e-12);
}

TEST_F(LowOccupancyLatency, IsSilentWhenAllBlocksFitAtOnce) {
  kernel().occupancy = {0.12, 0.125, 1, "registers", 0.5};
  EXPECT_THAT(fired("low_occupancy_latency"), IsEmpty());
}

TEST_F(LowOccupancyLatency, FiresWhenFarFewerWarpsRunThanCould) {
  kernel().occupancy = {0.40, 1.0, 8, "warps", 10.0};
  const auto found = fired("low_occupancy_latency");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.6, 1e-12);
}

TEST_F(LowOccupancyLatency, IsSilentAtHighOccupancyAndNearARoof) {
  EXPECT_THAT(fired("low_occupancy_latency"), IsEmpty());
  kernel().occupancy = {0.12, 0.125, 1, "registers", 10.0};
  kernel().bound_by = BoundBy::compute;
  EXPECT_THAT(fired("low_occupancy_latency"), IsEmpty());
}

struct MemoryStalls : testing::OneKernel {
  MemoryStalls() {
    kernel().stalls = {
        {"wait", 0.5, false}, {"long_scoreboard", 0.4, true}, {"selected", 0.1, false}};
    kernel().memory_stall_ratio = 0.4;
  }
};

TEST_F(MemoryStalls, FiresWhenOneMemoryReasonTakesThreeTenths) {
  const auto found = fired("memory_stalls");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.4, 1e-12);
  EXPECT_THAT(found[0].explanation, HasSubstr("long scoreboard"));
}

TEST_F(MemoryStalls, NamesTheInstructionWhereMostWarpsWait) {
  kernel().hot_spots = {
      {0x40, 90, 0.3, "wait", 0.9, "BRA", "", 0},
      {0x1d0, 70, 0.25, "long_scoreboard", 0.99, "FADD R12, R12, R16", "add.cu", 6}};
  const auto found = fired("memory_stalls");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].explanation,
              HasSubstr("+0x1d0, FADD R12, R12, R16 (add.cu:6): 25.0 % of the kernel's samples"));
}

TEST_F(MemoryStalls, ClaimNoGainWhereNoCounterTellsHowNearARoofIs) {
  kernel().utilisation = {};
  kernel().compute_utilisation.reset();
  kernel().time_share = 1.0;
  const auto found = fired("memory_stalls");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].estimated_gain);
  EXPECT_EQ(found[0].severity, Severity::warning);
}

TEST_F(MemoryStalls, IsSilentForOtherReasonsAndForBusySchedulers) {
  kernel().stalls[1].share = 0.25;
  EXPECT_THAT(fired("memory_stalls"), IsEmpty());
  kernel().stalls[1].share = 0.4;
  measured("issue_active_share", 0.9);
  EXPECT_THAT(fired("memory_stalls"), IsEmpty());
}

}  // namespace
}  // namespace ridgepoint
