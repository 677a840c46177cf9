#include "analyzer/analysis/checks.h"

#include <gmock/gmock.h>

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Checks : ::testing::Test {
  Analysis analysis;
  Checks() {
    KernelAnalysis kernel;
    kernel.short_name = "kernel";
    kernel.sm_clock_hz = 1.7e9;
    analysis.kernels = {kernel, kernel};
    VariantAnalysis variant;
    variant.name = "mine";
    variant.flop.tensor = 1e12;
    variant.analytic_flop = variant.algorithm_flop = 1e12;
    analysis.variants = {variant};
  }
  auto code(const char* code) { return ElementsAre(Field(&Issue::code, code)); }
};

TEST_F(Checks, APlausibleAnalysisRaisesNothing) {
  analysis.kernels[0].utilisation[MemoryLevel::hbm] = 1.04;
  EXPECT_THAT(check_consistency(analysis), IsEmpty());
}

TEST_F(Checks, NothingMayExceedItsRoof) {
  analysis.kernels[0].utilisation[MemoryLevel::l2] = 1.2;
  EXPECT_THAT(check_consistency(analysis), code("roofline.above_peak"));
  analysis.kernels[0].utilisation[MemoryLevel::l2] = 0.5;
  analysis.kernels[1].compute_utilisation = 1.06;
  EXPECT_THAT(check_consistency(analysis), code("roofline.above_peak"));
}

TEST_F(Checks, NoPipeIsBusyForMoreThanAllOfTheTime) {
  analysis.kernels[0].quantities = {{"xu_pipe_share", 1.2}, {"issue_active_share", 0.9}};
  const auto issues = check_consistency(analysis);
  EXPECT_THAT(issues, code("roofline.above_peak"));
  EXPECT_THAT(issues.front().text, HasSubstr("120 % of the special-function pipe peak"));
}

TEST_F(Checks, TensorInstructionsWithoutFlopWereOfATypeNobodyCounted) {
  KernelAnalysis& kernel = analysis.kernels[0];
  kernel.flop.tensor = 0;
  kernel.quantities = {{"gmma_instructions", 1000}, {"mma_instructions", 0}};
  EXPECT_THAT(check_consistency(analysis), code("flop.uncounted_type"));
  kernel.flop.tensor.reset();  // not counted at all: nothing to disagree with
  EXPECT_THAT(check_consistency(analysis), IsEmpty());
}

TEST_F(Checks, PackedHalfArithmeticOnTheTensorPipeIsNoMissingProduct) {
  analysis.kernels[0].flop.tensor = 0;
  analysis.kernels[0].quantities = {{"gmma_instructions", 0}, {"mma_instructions", 2e6}};
  EXPECT_THAT(check_consistency(analysis), IsEmpty());
}

TEST_F(Checks, FlopWithoutTensorInstructionsBelongToAnotherRun) {
  analysis.kernels[0].flop.tensor = 1e12;
  analysis.kernels[0].quantities = {{"gmma_instructions", 0}, {"mma_instructions", 0}};
  EXPECT_THAT(check_consistency(analysis), code("flop.without_instructions"));
}

TEST_F(Checks, FlopCannotOutrunTheActivePipe) {
  KernelAnalysis& kernel = analysis.kernels[0];
  kernel.flop.tensor = 1e12;
  kernel.flop.precision = "tensor_fp16";
  kernel.compute_utilisation = 0.7;
  kernel.quantities = {{"tensor_pipe_active_share", 0.6}};
  EXPECT_THAT(check_consistency(analysis), code("flop.above_pipe"));
  kernel.quantities = {{"tensor_pipe_active_share", 0.8}};  // mma.sync: active longer than needed
  EXPECT_THAT(check_consistency(analysis), IsEmpty());
}

TEST_F(Checks, WhatIsReadFromHbmPassesL2) {
  analysis.kernels[0].traffic[MemoryLevel::hbm].read = 2e9;
  analysis.kernels[0].traffic[MemoryLevel::l2].total = 1e9;
  EXPECT_THAT(check_consistency(analysis), code("traffic.l2_below_hbm"));
}

TEST_F(Checks, CountedFlopMustMatchTheProblem) {
  analysis.variants[0].flop.tensor = 0.97e12;
  EXPECT_THAT(check_consistency(analysis), code("flop.missing"));
  analysis.variants[0].flop.tensor = 1.03e12;
  EXPECT_THAT(check_consistency(analysis), code("flop.excess"));
  analysis.variants[0].flop.tensor = 128e12;
  EXPECT_THAT(check_consistency(analysis).front().text,
              HasSubstr("executes 128 times the tensor FLOP of its products"));
  analysis.variants[0].flop.tensor = 1.01e12;
  EXPECT_THAT(check_consistency(analysis), IsEmpty());
}

TEST_F(Checks, AWrongResultIsAnIssueWithItsError) {
  analysis.variants[0].correctness = Correctness{"all rows", 8, 8, 0.5, 0, 0, false, {}};
  const auto issues = check_consistency(analysis);
  EXPECT_THAT(issues, code("correctness.failed"));
  EXPECT_THAT(issues.front().text, HasSubstr("0.5"));
}

TEST_F(Checks, AClockAboveTheDevicesMaximumIsNotBelieved) {
  DeviceInfo device;
  device.sm_clock_max_hz = 1.98e9;
  analysis.devices = {device};
  EXPECT_THAT(check_consistency(analysis), IsEmpty());
  analysis.kernels[0].sm_clock_hz = analysis.kernels[1].sm_clock_hz = 2.083e9;
  const auto issues = check_consistency(analysis);
  ASSERT_EQ(issues.size(), 2U);
  EXPECT_EQ(issues.front().code, "clocks.above_maximum");
  EXPECT_THAT(issues.front().text, HasSubstr("2083 MHz where the device allows 1980 MHz"));
}

TEST_F(Checks, ClocksThatMovedAreNamedWithTheirKernels) {
  analysis.kernels[1].sm_clock_hz = 1.5e9;
  const auto issues = check_consistency(analysis);
  EXPECT_THAT(issues, code("clocks.moved"));
  EXPECT_THAT(issues.front().text, HasSubstr("1500 MHz in " + analysis.kernels[1].short_name));
}

// Cycles are counted a little longer than the kernel takes: of 3 microseconds a third.
TEST_F(Checks, KernelsTooShortToTellTheirClockGiveNoWarning) {
  DeviceInfo device;
  device.sm_clock_max_hz = 1.98e9;
  analysis.devices = {device};
  analysis.kernels[0].sm_clock_hz = 1.98e9;
  KernelAnalysis& kernel = analysis.kernels[1];
  kernel.launches = 10;
  kernel.sm_clock_hz = 2.067e9;
  kernel.time_s = 10 * 21.5e-6;
  EXPECT_THAT(check_consistency(analysis), IsEmpty());
  kernel.sm_clock_hz = 1.646e9;
  kernel.time_s = 10 * 3.2e-6;
  EXPECT_THAT(check_consistency(analysis), IsEmpty());
  kernel.time_s = 10 * 200e-6;
  EXPECT_THAT(check_consistency(analysis), code("clocks.moved"));
  kernel.sm_clock_hz = 2.067e9;
  EXPECT_THAT(check_consistency(analysis), code("clocks.above_maximum"));
}

}  // namespace
}  // namespace ridgepoint
