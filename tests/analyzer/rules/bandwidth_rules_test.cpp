// Rules about the level of the memory system, or the pipe in front of it, that binds.
#include <algorithm>

#include "tests/analyzer/rules/one_kernel.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

struct L2BandwidthBound : testing::OneKernel {};

TEST_F(L2BandwidthBound, FiresWhereL2IsTheNearestRoof) {
  kernel().bound_by = BoundBy::l2;
  kernel().utilisation[MemoryLevel::l2] = 0.7;
  kernel().role = "attention";
  const auto found = fired("l2_bandwidth_bound");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.3, 1e-12);
  EXPECT_THAT(found[0].action, HasSubstr("taller query tiles"));
}

TEST_F(L2BandwidthBound, IsSilentWhereAnotherRoofIsNearer) {
  kernel().utilisation[MemoryLevel::l2] = 0.7;
  kernel().bound_by = BoundBy::hbm;
  EXPECT_THAT(fired("l2_bandwidth_bound"), IsEmpty());
}

struct SmemBandwidthBound : testing::OneKernel {};

TEST_F(SmemBandwidthBound, FiresWhereSharedMemoryIsTheNearestRoof) {
  kernel().bound_by = BoundBy::smem;
  kernel().utilisation[MemoryLevel::smem] = 0.9;
  kernel().flop.tensor = 1e9;
  const auto found = fired("smem_bandwidth_bound");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.1, 1e-12);
  EXPECT_THAT(found[0].action, HasSubstr("each warp more rows"));
}

// INT8, and FP16 with FP16 sums, are products whose FLOP no counter knows.
TEST_F(SmemBandwidthBound, TakesInstructionsOfTheTensorPipeForProductsWhereNoFlopWereCounted) {
  kernel().bound_by = BoundBy::smem;
  kernel().utilisation[MemoryLevel::smem] = 0.9;
  measured("instructions_executed", 1e6);
  measured("mma_instructions", 2e5);
  for (const std::optional<double> flop : {std::optional<double>(), std::optional<double>(0)}) {
    kernel().flop.tensor = flop;
    EXPECT_THAT(fired("smem_bandwidth_bound").at(0).action, HasSubstr("each warp more rows"));
  }
  kernel().flop.fp16 = 128 * 2e5;  // they add pairs of halves
  EXPECT_THAT(fired("smem_bandwidth_bound").at(0).action, HasSubstr("several results"));
}

// What is left below the theoretical peak no kernel gets.
TEST_F(SmemBandwidthBound, PromisesNoMoreThanTheMeasuredCeilingGives) {
  DeviceInfo seen;
  seen.measured_ceilings = {{"hbm", 4.25e12, 0, 0, std::nullopt}};
  analysis.devices = {seen};
  kernel().bound_by = BoundBy::hbm;
  kernel().utilisation[MemoryLevel::hbm] = 0.8;
  const auto found = fired("hbm_bandwidth_bound");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 1 - 0.8 / 0.85, 1e-12) << "4.25 of 5 TB/s";
  EXPECT_THAT(found[0].gain_formula, HasSubstr("85.0 % of the peak"));
  kernel().utilisation[MemoryLevel::hbm] = 0.87;
  EXPECT_EQ(*fired("hbm_bandwidth_bound").at(0).estimated_gain, 0);
}

// Of three kernels the shortest one, 5 % of the time, came first since its roof is well used.
TEST(BandwidthRecording, DiagnosesComeInTheOrderOfWhatTheyWouldSaveOfTheRun) {
  const Analysis analysis =
      test_support::analysed(test_support::recording(test_support::plain_recording));
  const RunGains gains(analysis);
  EXPECT_THAT(analysis.diagnoses.at(0).title, HasSubstr("product_shared"));
  for (std::size_t i = 1; i < analysis.diagnoses.size(); ++i) {
    EXPECT_LE(gains.of(analysis.diagnoses[i]), gains.of(analysis.diagnoses[i - 1])) << i;
    EXPECT_LE(analysis.diagnoses[i].severity, analysis.diagnoses[i - 1].severity) << i;
  }
}

// The tensor pipe runs 131,072 instructions of it that move constants (HFMA2.MMA), and no product.
TEST(SmemBandwidthBoundRecording, AFp32ProductIsNotAdvisedToFeedMma) {
  const Analysis analysis =
      test_support::analysed(test_support::recording(test_support::plain_recording));
  const auto found =
      std::find_if(analysis.diagnoses.begin(), analysis.diagnoses.end(),
                   [](const Diagnosis& one) { return one.id == "smem_bandwidth_bound"; });
  ASSERT_NE(found, analysis.diagnoses.end());
  EXPECT_THAT(found->title, HasSubstr("product_shared"));
  EXPECT_THAT(found->action, Not(HasSubstr("mma")));
  EXPECT_THAT(found->action, HasSubstr("several results"));
}

TEST_F(SmemBandwidthBound, IsSilentWhereAnotherRoofIsNearer) {
  kernel().utilisation[MemoryLevel::smem] = 0.9;
  kernel().bound_by = BoundBy::compute;
  EXPECT_THAT(fired("smem_bandwidth_bound"), IsEmpty());
}

struct LsuPipeLimit : testing::OneKernel {};

TEST_F(LsuPipeLimit, FiresWhereMemoryInstructionsAreTheBusiest) {
  measured("lsu_pipe_share", 0.75);
  const auto found = fired("lsu_pipe_limit");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.75 - 0.3, 1e-12);
}

TEST_F(LsuPipeLimit, IsSilentBelow60PercentAndBesideABusierPipe) {
  measured("lsu_pipe_share", 0.75);
  measured("alu_pipe_share", 0.80);
  EXPECT_THAT(fired("lsu_pipe_limit"), IsEmpty());
  kernel().quantities = {{"lsu_pipe_share", 0.5}};
  EXPECT_THAT(fired("lsu_pipe_limit"), IsEmpty());
}

struct Fp64Heavy : testing::OneKernel {
  Fp64Heavy() {
    analysis.ceilings.push_back(
        {CeilingKind::compute, "fp64", "FP64", 1e12, std::nullopt, "invented"});
    analysis.ceilings.push_back(
        {CeilingKind::compute, "fp32", "FP32", 64e12, std::nullopt, "invented"});
    kernel().flop.fp32 = 0.8e9;
  }
};

TEST_F(Fp64Heavy, FiresAbove15PercentOfTheFp64Peak) {
  kernel().flop.fp64 = 0.2e9;  // in a millisecond: 20 % of the peak
  const auto found = fired("fp64_heavy");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.2 * (1 - 1.0 / 64) * 0.2, 1e-12);
}

TEST_F(Fp64Heavy, IsSilentForLittleFp64AndWhenItWasNotCounted) {
  kernel().flop.fp64 = 0.1e9;
  EXPECT_THAT(fired("fp64_heavy"), IsEmpty());
  kernel().flop.fp64 = std::nullopt;
  EXPECT_THAT(fired("fp64_heavy"), IsEmpty());
}

}  // namespace
}  // namespace ridgepoint
