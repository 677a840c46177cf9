#include "analyzer/targets/targets.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A variant of one kernel, 1 ms, with these utilisations.
Analysis analysis_of(std::optional<double> hbm, std::optional<double> smem,
                     std::optional<double> compute) {
  KernelAnalysis kernel;
  kernel.time_s = 1e-3;
  kernel.utilisation[MemoryLevel::hbm] = hbm;
  kernel.utilisation[MemoryLevel::l2] = 0.3;
  kernel.utilisation[MemoryLevel::smem] = smem;
  kernel.compute_utilisation = compute;
  kernel.flop.total = 1e12;
  VariantAnalysis variant;
  variant.name = "mine";
  variant.kernels = {0};
  Analysis analysis;
  analysis.kernels = {kernel};
  analysis.variants = {variant};
  return analysis;
}

TargetResult target(const Analysis& analysis, const std::string& id,
                    const TargetLimits& limits = {}) {
  const auto results = judge_targets(analysis, limits);
  const auto found =
      std::find_if(results.begin(), results.end(), [&](const auto& one) { return one.id == id; });
  EXPECT_NE(found, results.end()) << id;
  return found == results.end() ? TargetResult() : *found;
}

TEST(Targets, ABusyHbmMeetsItsTarget) {
  const TargetResult result = target(analysis_of(0.9, 0.1, 0.2), "hbm_bandwidth_utilisation");
  EXPECT_EQ(result.verdict, Verdict::met);
  EXPECT_NEAR(*result.value, 0.9, 1e-12);
  EXPECT_DOUBLE_EQ(result.target, 0.80);
}

TEST(Targets, AMemoryBoundKernelBelowItsTargetMissesIt) {
  const TargetResult result = target(analysis_of(0.7, 0.1, 0.2), "hbm_bandwidth_utilisation");
  EXPECT_EQ(result.verdict, Verdict::missed);
  EXPECT_THAT(result.why, HasSubstr("70.0 %"));
}

TEST(Targets, AComputeBoundKernelIsNotScoldedForItsIdleHbm) {
  const TargetResult result = target(analysis_of(0.05, 0.4, 0.7), "hbm_bandwidth_utilisation");
  EXPECT_EQ(result.verdict, Verdict::not_applicable);
  EXPECT_THAT(result.why, HasSubstr("roof of compute is nearer"));
  EXPECT_THAT(result.why,
              HasSubstr("7.14 %"));  // 0.05 / 0.7: what HBM would see at full compute speed
  EXPECT_EQ(target(analysis_of(0.05, 0.4, 0.7), "compute_utilisation").verdict, Verdict::missed);
}

TEST(Targets, BusyWithPaddingIsNoExcuseAndNoMerit) {
  Analysis analysis = analysis_of(0.4, 0.3, 0.7);
  analysis.kernels[0].bound_by = BoundBy::compute;
  EXPECT_EQ(target(analysis, "hbm_bandwidth_utilisation").verdict, Verdict::not_applicable);
  analysis.variants[0].algorithm_flop = 1e12;
  analysis.variants[0].flop.tensor = 64e12;
  EXPECT_EQ(target(analysis, "hbm_bandwidth_utilisation").verdict, Verdict::missed);
  const TargetResult compute = target(analysis, "compute_utilisation");
  EXPECT_EQ(compute.verdict, Verdict::not_applicable);
  EXPECT_THAT(compute.why, HasSubstr("only one in 64 FLOP executed is of the problem"));
}

TEST(Targets, SharedMemoryBusyWithPaddingExcusesNoIdleHbm) {
  Analysis analysis = analysis_of(0.14, 0.7, 0.15);
  analysis.kernels[0].utilisation[MemoryLevel::l2] = 0.1;
  const TargetResult before = target(analysis, "hbm_bandwidth_utilisation");
  EXPECT_EQ(before.verdict, Verdict::not_applicable);
  EXPECT_THAT(before.why, HasSubstr("roof of shared-memory bandwidth is nearer"));
  analysis.variants[0].algorithm_flop = 1e12;
  analysis.variants[0].flop.tensor = 128e12;
  const TargetResult hbm = target(analysis, "hbm_bandwidth_utilisation");
  EXPECT_EQ(hbm.verdict, Verdict::missed);
  EXPECT_THAT(hbm.why, HasSubstr("Shared memory is nearer to its roof, busy to 70.0 %"));
  EXPECT_THAT(hbm.why, HasSubstr("served rows of padding was not counted"));
  for (const char* id : {"smem_bandwidth_utilisation", "memory_utilisation"}) {
    const TargetResult result = target(analysis, id);
    EXPECT_EQ(result.verdict, Verdict::not_applicable) << id;
    EXPECT_THAT(result.why, HasSubstr("only one in 128 FLOP executed is of the problem")) << id;
  }
}

TEST(Targets, BytesThatPaddingDoesNotMoveAreJudgedBesideIt) {
  Analysis analysis = analysis_of(0.4, 0.2, 0.3);  // HBM is the busiest level
  analysis.variants[0].algorithm_flop = 1e12;
  analysis.variants[0].flop.tensor = 128e12;
  const TargetResult memory = target(analysis, "memory_utilisation");
  EXPECT_EQ(memory.verdict, Verdict::missed);
  EXPECT_THAT(memory.why, Not(HasSubstr("padding")));
  analysis.kernels[0].utilisation[MemoryLevel::l2] = 0.9;
  const TargetResult hbm = target(analysis, "hbm_bandwidth_utilisation");
  EXPECT_EQ(hbm.verdict, Verdict::not_applicable);
  EXPECT_THAT(hbm.why, HasSubstr("roof of L2 bandwidth is nearer"));
}

// Of naive and fused one row in 128 is a query, and the others keep shared memory busy.
TEST(Targets, NoTargetOfDecodingIsExcusedByTheSharedMemoryOfPadding) {
  const Analysis analysis =
      test_support::analysed(test_support::recording(test_support::decode_recording));
  for (const TargetResult& one : analysis.targets) {
    EXPECT_THAT(one.why, Not(HasSubstr("roof of shared-memory bandwidth is nearer")))
        << one.variant << ' ' << one.id;
    if (one.id == "smem_bandwidth_utilisation" &&
        (one.variant == "naive" || one.variant == "fused")) {
      EXPECT_EQ(one.verdict, Verdict::not_applicable) << one.variant;
      EXPECT_THAT(one.why, HasSubstr("served rows of padding was not counted"));
    }
  }
}

TEST(Targets, TheReasonRoundsAsTheValueBesideItDoes) {
  const auto why = [](double hbm) {
    return target(analysis_of(hbm, 0.1, 0.7), "hbm_bandwidth_utilisation").why;
  };
  EXPECT_THAT(why(0.00744), HasSubstr("(now 0.744 %)"));
  EXPECT_THAT(why(0.0342), HasSubstr("(now 3.42 %)"));
  EXPECT_THAT(why(0.123), HasSubstr("(now 12.3 %)"));
}

TEST(Targets, AKernelBoundByAPipeIsNotScoldedForIdleMemory) {
  // Its FLOP reach 52 % of the peak, its tensor pipe is busy to 60 %: near 90 % of shared memory
  // could be had at best, but compute is what binds it.
  Analysis analysis = analysis_of(0.05, 0.544, 0.52);
  analysis.kernels[0].quantities = {{"tensor_pipe_active_share", 0.60}};
  analysis.kernels[0].bound_by = BoundBy::compute;
  analysis.kernels[0].bound_pipe = "tensor pipe";
  for (const char* id :
       {"hbm_bandwidth_utilisation", "smem_bandwidth_utilisation", "memory_utilisation"}) {
    EXPECT_EQ(target(analysis, id).verdict, Verdict::not_applicable) << id;
  }
  EXPECT_THAT(target(analysis, "smem_bandwidth_utilisation").why, HasSubstr("bound by compute"));
  const TargetResult compute = target(analysis, "compute_utilisation");
  EXPECT_EQ(compute.verdict, Verdict::missed);
  EXPECT_THAT(compute.why, HasSubstr("the tensor pipe is nearer to its limit, busy to 60.0 %"));
}

TEST(Targets, BusyIssueSlotsExcuseIdleMemoryAsWell) {
  Analysis analysis = analysis_of(0.45, 0.2, 0.06);
  analysis.kernels[0].quantities = {{"issue_active_share", 0.68}};
  analysis.kernels[0].bound_by = BoundBy::issue;
  EXPECT_EQ(target(analysis, "hbm_bandwidth_utilisation").verdict, Verdict::not_applicable);
}

TEST(Targets, AMemoryBoundKernelIsNotScoldedForItsIdleTensorCores) {
  EXPECT_EQ(target(analysis_of(0.9, 0.1, 0.2), "compute_utilisation").verdict,
            Verdict::not_applicable);
}

TEST(Targets, ATensorKernelThatWastesSharedMemoryIsNotExcused) {
  EXPECT_EQ(target(analysis_of(0.05, 0.6, 0.4), "compute_utilisation").verdict, Verdict::missed);
}

TEST(Targets, WhatWasNotMeasuredIsNotJudged) {
  const Analysis analysis = analysis_of(std::nullopt, std::nullopt, std::nullopt);
  for (const char* id : {"hbm_bandwidth_utilisation", "smem_bandwidth_utilisation",
                         "compute_utilisation", "memory_stall_ratio", "p99_latency"}) {
    const TargetResult result = target(analysis, id);
    EXPECT_EQ(result.verdict, Verdict::not_applicable) << id;
    EXPECT_FALSE(result.value) << id;
    EXPECT_FALSE(result.why.empty()) << id;
  }
}

TEST(Targets, MemoryUtilisationIsThatOfTheBusiestLevel) {
  EXPECT_NEAR(*target(analysis_of(0.2, 0.85, 0.1), "memory_utilisation").value, 0.85, 1e-12);
  EXPECT_EQ(target(analysis_of(0.2, 0.85, 0.1), "memory_utilisation").verdict, Verdict::met);
}

TEST(Targets, UtilisationsOfSeveralKernelsAreWeightedByTime) {
  Analysis analysis = analysis_of(0.9, 0.1, 0.2);
  analysis.kernels.push_back(analysis.kernels[0]);
  analysis.kernels[1].time_s = 3e-3;
  analysis.kernels[1].utilisation[MemoryLevel::hbm] = 0.5;
  analysis.variants[0].kernels = {0, 1};
  EXPECT_NEAR(*target(analysis, "hbm_bandwidth_utilisation").value, (0.9 + 3 * 0.5) / 4, 1e-12);
}

TEST(Targets, MemoryStallsAreAnUpperBoundAndNameTheLeadingReason) {
  Analysis analysis = analysis_of(0.9, 0.1, 0.2);
  analysis.kernels[0].memory_stall_ratio = 0.25;
  analysis.kernels[0].stalls = {{"wait", 0.75, false}, {"long_scoreboard", 0.25, true}};
  EXPECT_EQ(target(analysis, "memory_stall_ratio").verdict, Verdict::missed);
  EXPECT_THAT(target(analysis, "memory_stall_ratio").why, HasSubstr("long scoreboard"));
  analysis.kernels[0].memory_stall_ratio = 0.05;
  EXPECT_EQ(target(analysis, "memory_stall_ratio").verdict, Verdict::met);
}

// Two short kernels of the variant wait for nothing but global memory; the one that takes 97 % of
// the time hardly does.
TEST(Targets, TheLeadingStallReasonOfAVariantIsTheOneThatMostOfItsTimeGoesTo) {
  const Analysis analysis =
      test_support::analysed(test_support::recording(test_support::backward_recording));
  const auto results = judge_targets(analysis, {});
  const auto fused = std::find_if(results.begin(), results.end(), [](const TargetResult& one) {
    return one.id == "memory_stall_ratio" && one.variant == "fused";
  });
  ASSERT_NE(fused, results.end());
  EXPECT_THAT(fused->why, HasSubstr("the leading reason is short scoreboard"));
}

TEST(Targets, LatencyIsJudgedByItsTail) {
  Analysis analysis = analysis_of(0.9, 0.1, 0.2);
  analysis.variants[0].latency =
      LatencyStats{50, 5e-4, 4e-4, 5e-4, 6e-4, 1.5e-3, 2e-3, 4.9e-4, 5.1e-4};
  const TargetResult result = target(analysis, "p99_latency");
  EXPECT_EQ(result.verdict, Verdict::missed);
  EXPECT_FALSE(result.at_least);
  EXPECT_THAT(result.why, HasSubstr("fewer than 100"));
}

TEST(Targets, LimitsAreTheCallersChoice) {
  TargetLimits limits;
  limits.hbm_bandwidth_utilisation = 0.95;
  EXPECT_EQ(target(analysis_of(0.9, 0.1, 0.2), "hbm_bandwidth_utilisation", limits).verdict,
            Verdict::missed);
}

// A target must not call mostly compute what the table of kernels calls bound by shared memory.
TEST(Targets, TheRoofThatExcusesIsTheNearestOfAll) {
  Analysis analysis =
      test_support::analysed(test_support::recording(test_support::plain_recording));
  const TargetResult hbm = target(analysis, "hbm_bandwidth_utilisation");
  EXPECT_EQ(hbm.verdict, Verdict::not_applicable);
  EXPECT_THAT(hbm.why, HasSubstr("mostly shared-memory bandwidth"));
  EXPECT_THAT(target(analysis, "compute_utilisation").why,
              HasSubstr("With every kernel as fast as compute and HBM bandwidth allow"));
  EXPECT_EQ(target(analysis, "memory_stall_ratio").why, "Stall reasons were not sampled.");
  analysis.kernels[0].memory_stall_ratio = 0.1;
  EXPECT_EQ(target(analysis, "memory_stall_ratio").why,
            "Stall reasons were not sampled for every kernel.");
}

TEST(Targets, WithoutVariantsTheProgramIsJudged) {
  Analysis analysis = analysis_of(0.9, 0.1, 0.2);
  analysis.variants.clear();
  EXPECT_EQ(target(analysis, "hbm_bandwidth_utilisation").verdict, Verdict::met);
  EXPECT_EQ(target(analysis, "hbm_bandwidth_utilisation").variant, "");
  EXPECT_THAT(judge_targets(Analysis(), {}), ::testing::IsEmpty());
}

}  // namespace
}  // namespace ridgepoint
