#include "tests/analyzer/rules/one_kernel.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct MmaWhereWgmmaExists : testing::OneKernel {
  MmaWhereWgmmaExists() {
    kernel().flop.tensor = 1e12;
    measured("mma_instructions", 1e6);
    measured("tensor_pipe_active_share", 0.55);
  }
};

TEST_F(MmaWhereWgmmaExists, FiresOnHopperWithoutWarpgroupInstructions) {
  measured("gmma_instructions", 0);
  const auto found = fired("mma_where_wgmma_exists");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.55 - 0.3, 1e-12);
}

TEST_F(MmaWhereWgmmaExists, IsSilentOnOtherGpusAndWhenTheKernelUsesThem) {
  measured("gmma_instructions", 5);
  EXPECT_THAT(fired("mma_where_wgmma_exists"), IsEmpty());
}

TEST_F(MmaWhereWgmmaExists, IsSilentWhereWgmmaDoesNotExist) {
  measured("gmma_instructions", 0);
  device.compute_capability_major = 8;
  EXPECT_THAT(fired("mma_where_wgmma_exists"), IsEmpty());
}

TEST_F(MmaWhereWgmmaExists, IsSilentWhenHbmBinds) {
  measured("gmma_instructions", 0);
  kernel().bound_by = BoundBy::hbm;
  EXPECT_THAT(fired("mma_where_wgmma_exists"), IsEmpty());
}

TEST_F(MmaWhereWgmmaExists, IsSilentWhenTheInstructionsWereNotCounted) {
  EXPECT_THAT(fired("mma_where_wgmma_exists"), IsEmpty());
}

TEST_F(MmaWhereWgmmaExists, FiresWithoutGainWhereTheFlopWereNotCounted) {
  measured("gmma_instructions", 0);
  measured("instructions_executed", 4e6);
  kernel().flop.tensor = 0;
  const auto found = fired("mma_where_wgmma_exists");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].estimated_gain);
}

TEST_F(MmaWhereWgmmaExists, IsSilentForVectorInstructionsOnTheTensorPipe) {
  measured("gmma_instructions", 0);
  kernel().flop.tensor = 0;
  EXPECT_THAT(fired("mma_where_wgmma_exists"), IsEmpty());
}

struct MufuLimit : testing::OneKernel {};

TEST_F(MufuLimit, FiresWhenExponentialsAreTheBusiestPipe) {
  measured("xu_pipe_share", 0.8);
  measured("tensor_pipe_active_share", 0.6);
  const auto found = fired("mufu_limit");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.2, 1e-12);
}

TEST_F(MufuLimit, IsSilentWhenTheTensorPipeIsBusierOrExponentialsAreFew) {
  measured("xu_pipe_share", 0.7);
  measured("tensor_pipe_active_share", 0.9);
  EXPECT_THAT(fired("mufu_limit"), IsEmpty());
  kernel().quantities = {{"xu_pipe_share", 0.3}};
  EXPECT_THAT(fired("mufu_limit"), IsEmpty());
}

struct NarrowerPrecision : testing::OneKernel {
  NarrowerPrecision() {
    kernel().role = "attention";
    kernel().bound_by = BoundBy::compute;
    kernel().compute_utilisation = 0.8;
    analysis.ceilings.push_back(
        {CeilingKind::compute, "tensor_fp8", "Tensor FP8", 2e15, std::nullopt, "invented"});
  }
};

TEST_F(NarrowerPrecision, NamesFp8WhereTheProductsBindAndGivesWhatTheRoofsLeave) {
  const auto found = fired("narrower_precision");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].action, HasSubstr("FP8"));
  EXPECT_THAT(found[0].action, HasSubstr("Q, K, V and P"));
  EXPECT_NEAR(*found[0].estimated_gain, 0.8 - 0.8 / 2, 1e-12);
}

TEST_F(NarrowerPrecision, GainsNoMoreThanWhatDoesNotShrinkAllows) {
  measured("xu_pipe_share", 0.7);  // exponentials take as long as before
  EXPECT_NEAR(*fired("narrower_precision")[0].estimated_gain, 0.1, 1e-12);
  kernel().quantities = {{"xu_pipe_share", 0.78}};
  EXPECT_THAT(fired("narrower_precision"), IsEmpty());
}

TEST_F(NarrowerPrecision, HalvesWhatAKernelBoundByHbmReadsAndNotItsResult) {
  kernel().bound_by = BoundBy::hbm;
  kernel().compute_utilisation = 0.1;
  kernel().utilisation[MemoryLevel::hbm] = 0.9;
  kernel().traffic[MemoryLevel::hbm] = {1e9, 0.8e9, 0.2e9, std::nullopt};
  const auto found = fired("narrower_precision");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.9 - 0.9 * (0.2 + 0.4), 1e-12);
}

TEST_F(NarrowerPrecision, IsSilentWhereTheChipHasNoFasterUnit) {
  analysis.ceilings.pop_back();
  EXPECT_THAT(fired("narrower_precision"), IsEmpty());
}

TEST_F(NarrowerPrecision, IsSilentForAKernelThatNeitherRoofBinds) {
  kernel().bound_by = BoundBy::latency;
  EXPECT_THAT(fired("narrower_precision"), IsEmpty());
}

TEST_F(NarrowerPrecision, LeavesIntermediatesInHbmToFusion) {
  kernel().role = "scores";
  EXPECT_THAT(fired("narrower_precision"), IsEmpty());
}

TEST_F(NarrowerPrecision, LeavesHopperKernelsWithoutWgmmaToThatRule) {
  kernel().flop.tensor = 1e12;
  measured("mma_instructions", 1e6);
  measured("gmma_instructions", 0);
  EXPECT_THAT(fired("narrower_precision"), IsEmpty());
}

TEST_F(NarrowerPrecision, TakesFp32MultiplyAddsForAProductAndAFewForNone) {
  kernel().role.clear();
  kernel().flop.precision = "fp32";
  analysis.ceilings.push_back(
      {CeilingKind::compute, "fp32", "FP32", 6e13, std::nullopt, "invented"});
  analysis.ceilings.push_back(
      {CeilingKind::compute, "tensor_tf32", "Tensor TF32", 5e14, std::nullopt, "invented"});
  kernel().quantities = {{"fp32_fma_instructions", 95.0}, {"fp32_add_mul_instructions", 5.0}};
  const auto found = fired("narrower_precision");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].action, HasSubstr("TF32"));
  EXPECT_NEAR(*found[0].estimated_gain, 0.8 - 0.2, 1e-12) << "L2 and HBM stay as they are";
  measured("instructions_executed", 1000);
  measured("mma_instructions", 300);
  EXPECT_THAT(fired("narrower_precision"), IsEmpty()) << "it multiplies on them, uncounted";
  kernel().quantities = {{"fp32_fma_instructions", 50.0}, {"fp32_add_mul_instructions", 50.0}};
  EXPECT_THAT(fired("narrower_precision"), IsEmpty());
}

struct ComputeBoundOk : testing::OneKernel {};

TEST_F(ComputeBoundOk, TellsThatBandwidthTargetsDoNotApply) {
  kernel().bound_by = BoundBy::compute;
  kernel().compute_utilisation = 0.82;
  const auto found = fired("compute_bound_ok");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, Severity::info);
  EXPECT_THAT(found[0].explanation, HasSubstr("bandwidth targets do not apply"));
}

TEST_F(ComputeBoundOk, NamesThePipeWhenItIsBusierThanTheFlopSay) {
  kernel().bound_by = BoundBy::compute;
  kernel().bound_pipe = "ALU pipe";
  measured("alu_pipe_share", 0.7);
  const auto found = fired("compute_bound_ok");
  EXPECT_THAT(found[0].title, HasSubstr("ALU pipe is busy to 70.0 %"));
  EXPECT_THAT(found[0].action, ::testing::Not(HasSubstr("tensor")));
}

TEST_F(ComputeBoundOk, SpeaksOfTheSoftmaxOnlyWithinAttention) {
  kernel().bound_by = BoundBy::compute;
  kernel().compute_utilisation = 0.7;
  EXPECT_THAT(fired("compute_bound_ok")[0].action, ::testing::Not(HasSubstr("softmax")));
  kernel().role = "attention";
  EXPECT_THAT(fired("compute_bound_ok")[0].action, HasSubstr("softmax"));
}

TEST_F(ComputeBoundOk, LeavesIssueSlotsToTheirOwnRule) {
  kernel().bound_by = BoundBy::issue;
  measured("issue_active_share", 0.68);
  EXPECT_THAT(fired("compute_bound_ok"), IsEmpty());
  const auto found = fired("issue_bound");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].title, HasSubstr("68.0 %"));
  EXPECT_THAT(found[0].action, ::testing::Not(HasSubstr("tensor")));
}

TEST_F(ComputeBoundOk, IsSilentOtherwise) {
  EXPECT_THAT(fired("compute_bound_ok"), IsEmpty());
}

}  // namespace
}  // namespace ridgepoint
