#include "analyzer/roofline/placement.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/support/sample_session.h"

namespace ridgepoint {
namespace {

RC_GTEST_PROP(Roofline, MoreIntensityNeverMeansLessAndNeverMoreThanThePeak, ()) {
  const double peak = *rc::gen::inRange(1, 1000);
  const double bandwidth = *rc::gen::inRange(1, 1000);
  const double low = *rc::gen::inRange(0, 1000);
  const double high = low + *rc::gen::inRange(0, 1000);
  RC_ASSERT(attainable_flop_per_s(peak, bandwidth, low) <=
            attainable_flop_per_s(peak, bandwidth, high));
  RC_ASSERT(attainable_flop_per_s(peak, bandwidth, high) <= peak);
  RC_ASSERT(std::abs(attainable_flop_per_s(peak, bandwidth, peak / bandwidth) - peak) <=
            1e-9 * peak);  // the ridge
}

struct Placement : ::testing::Test {
  DeviceInfo device = testing::sample_device();
  ChipModel chip = find_chip("GH100").value().value();
  Quantities q;
  KernelAnalysis kernel;

  // One second at 1 GHz: 540.672 TFLOP/s tensor FP16, 4.9152 TB/s HBM.
  void place(double hbm_bytes, double tensor_flop) {
    q.set("sm_clock_hz", 1e9);
    kernel.time_s = 1;
    kernel.traffic[MemoryLevel::hbm].total = hbm_bytes;
    kernel.flop.tensor = kernel.flop.total = tensor_flop;
    std::vector<std::pair<std::string, double>> by_unit;
    if (tensor_flop > 0) {
      by_unit.emplace_back("tensor_fp16", tensor_flop);
    }
    place_on_roofline(kernel, by_unit, device, &chip, q);
  }
};

TEST_F(Placement, UtilisationIsTakenAtTheKernelsOwnClock) {
  place(1e9, 270.336e12);
  EXPECT_NEAR(*kernel.compute_utilisation, 0.5, 1e-12);
  EXPECT_EQ(kernel.flop.precision, "tensor_fp16");
}

TEST_F(Placement, AKernelThatHardlyStartsHasNoHeadroom) {
  place(1e9, 100e12);
  EXPECT_TRUE(kernel.headroom);
  kernel.headroom.reset();
  kernel.launches = 300'000;  // 3.3 us each
  place(1e9, 100e12);
  EXPECT_FALSE(kernel.headroom);
  EXPECT_EQ(kernel.bound_by, BoundBy::latency);
}

TEST_F(Placement, IntensityIsFlopPerByte) {
  place(2e12, 300e12);
  EXPECT_DOUBLE_EQ(*kernel.intensity[MemoryLevel::hbm], 150);
  EXPECT_FALSE(kernel.intensity[MemoryLevel::l2]);
}

// 9 TB/s at most are looked up; the SMs may be given more.
TEST_F(Placement, WhatL2NeedNotLookUpDoesNotUseItsBandwidth) {
  q.set("l2_clock_hz", 1e9);
  q.set("l2_lookup_peak_bytes_per_cycle", 9000);
  kernel.traffic[MemoryLevel::l2].total = 12e12;
  kernel.traffic[MemoryLevel::l2].merged = 7.5e12;
  place(1e9, 300e12);
  EXPECT_DOUBLE_EQ(*kernel.bandwidth[MemoryLevel::l2], 12e12);
  EXPECT_DOUBLE_EQ(*kernel.utilisation[MemoryLevel::l2], 0.5);
  EXPECT_DOUBLE_EQ(*kernel.intensity[MemoryLevel::l2], 25);
}

TEST_F(Placement, AKernelWithoutFlopHasNoIntensity) {
  place(4.5e12, 0);
  EXPECT_FALSE(kernel.intensity[MemoryLevel::hbm]);
  EXPECT_EQ(kernel.bound_by, BoundBy::hbm);
}

TEST_F(Placement, TheNearestRoofBinds) {
  place(4.4e12, 400e12);  // 90 % of HBM, 74 % of compute
  EXPECT_EQ(kernel.bound_by, BoundBy::hbm);
  EXPECT_NEAR(*kernel.headroom, 4.9152 / 4.4, 1e-9);
  place(4.4e12, 520e12);  // 96 % of compute
  EXPECT_EQ(kernel.bound_by, BoundBy::compute);
}

TEST_F(Placement, FarFromEveryRoofIsLatency) {
  place(0.5 * 4.9152e12, 0.55 * 540.672e12);
  EXPECT_EQ(kernel.bound_by, BoundBy::latency);
}

TEST_F(Placement, ABusyPipeBindsAlthoughItsFlopAreFew) {
  kernel.quantities = {{"xu_pipe_share", 0.85}};
  place(0.3 * 4.9152e12, 0.2 * 540.672e12);
  EXPECT_EQ(kernel.bound_by, BoundBy::compute);
  EXPECT_NEAR(*kernel.headroom, 1 / 0.85, 1e-12);
  EXPECT_EQ(kernel.bound_pipe, "special-function pipe");
}

TEST_F(Placement, TheFlopCeilingBindsWithoutAPipe) {
  kernel.quantities = {{"tensor_pipe_active_share", 0.7}};
  place(1e12, 0.9 * 540.672e12);
  EXPECT_EQ(kernel.bound_by, BoundBy::compute);
  EXPECT_EQ(kernel.bound_pipe, "");
}

TEST_F(Placement, BusyIssueSlotsAreNoComputeRoof) {
  kernel.quantities = {{"issue_active_share", 0.68}, {"alu_pipe_share", 0.3}};
  place(0.45 * 4.9152e12, 0.06 * 540.672e12);
  EXPECT_EQ(kernel.bound_by, BoundBy::issue);
  EXPECT_EQ(kernel.bound_pipe, "");
  EXPECT_NEAR(*kernel.headroom, 1 / 0.68, 1e-12);
}

// As a product of matrices that reads its operands from the L1 cache.
TEST_F(Placement, AFullL1DataStageBindsAlthoughSharedMemoryIdles) {
  kernel.quantities = {{"l1_wavefront_share", 0.9}, {"issue_active_share", 0.1}};
  place(0.1 * 4.9152e12, 0.1 * 540.672e12);
  EXPECT_EQ(kernel.bound_by, BoundBy::smem);
  EXPECT_EQ(kernel.bound_pipe, l1_data_stage);
  EXPECT_NEAR(*kernel.headroom, 1 / 0.9, 1e-12);
}

TEST_F(Placement, WhatIsBusyOnlyBetweenALongStartAndEndDoesNotBind) {
  kernel.quantities = {{"issue_active_share", 0.76}};
  kernel.balance.active_max_share = 0.5;  // no SM works for half of the time
  place(0.1 * 4.9152e12, 0.1 * 540.672e12);
  EXPECT_EQ(kernel.bound_by, BoundBy::latency);
  EXPECT_NEAR(*kernel.headroom, 1 / 0.38, 1e-12);
}

TEST_F(Placement, APipeBindsTheBusiestSmWhateverOthersDo) {
  kernel.quantities = {{"xu_pipe_share", 0.7}};
  kernel.balance.active_max_share = 1;
  kernel.balance.active_mean_share = 0.5;
  place(0.1 * 4.9152e12, 0.1 * 540.672e12);
  EXPECT_EQ(kernel.bound_by, BoundBy::compute);
}

TEST_F(Placement, TooLittleMeasuredIsUnknownNotLatency) {
  kernel.flop.total.reset();
  q.set("sm_clock_hz", 1e9);
  kernel.time_s = 1;
  kernel.traffic[MemoryLevel::hbm].total = 1e12;
  place_on_roofline(kernel, {}, device, &chip, q);
  EXPECT_EQ(kernel.bound_by, BoundBy::unknown);
  EXPECT_EQ(KernelAnalysis().bound_by, BoundBy::unknown);
}

// As an Nsight Compute details page leaves it: shares of the pipes, but no bytes.
TEST_F(Placement, WithoutHbmBusyPipesAndIssueSlotsBindNothing) {
  kernel.quantities = {{"issue_active_share", 0.9}, {"tensor_pipe_active_share", 0.7}};
  kernel.time_s = 1;
  place_on_roofline(kernel, {}, device, &chip, q);
  EXPECT_EQ(kernel.bound_by, BoundBy::unknown);
  EXPECT_FALSE(kernel.headroom);
}

TEST_F(Placement, ThePrecisionIsThatOfTheUnitNearestToItsOwnPeak) {
  q.set("sm_clock_hz", 1e9);
  kernel.time_s = 1;
  kernel.flop.total = 110e12;
  // 100 TFLOP/s are 18 % of the tensor peak, 10 TFLOP/s are 30 % of the FP32 peak.
  place_on_roofline(kernel, {{"tensor_fp16", 100e12}, {"fp32", 10e12}}, device, &chip, q);
  EXPECT_EQ(kernel.flop.precision, "fp32");
  EXPECT_NEAR(*kernel.compute_utilisation, 10e12 / (256 * 132 * 1e9), 1e-12);
}

TEST_F(Placement, TheNearerOfTheTwoL2RoofsCounts) {
  q.set("l2_clock_hz", 1e9);
  q.set("l2_lookup_peak_bytes_per_cycle", 6000);
  q.set("l2_peak_bytes_per_cycle", 3000);
  q.set("l2_to_sm_bytes", 2.4e12);
  kernel.traffic[MemoryLevel::l2].total =
      3e12;  // half of the lookups, but 80 % of the ports to the SMs
  place(1e12, 1e12);
  EXPECT_NEAR(*kernel.utilisation[MemoryLevel::l2], 0.8, 1e-12);
}

}  // namespace
}  // namespace ridgepoint
