#include "analyzer/rules/confidence.h"

#include <gmock/gmock.h>

#include "tests/analyzer/rules/one_kernel.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;

struct ConfidenceOf : testing::OneKernel {
  Diagnosis with(std::vector<Evidence> evidence) {
    Diagnosis d;
    d.kernel = 0;
    d.evidence = std::move(evidence);
    rate_confidence(analysis, SharedSamples(analysis.kernels), d);
    return d;
  }
};

TEST_F(ConfidenceOf, AValueFarFromItsThresholdIsHigh) {
  EXPECT_EQ(with({{"HBM bandwidth utilisation", 0.95, "share", 0.80}}).confidence,
            Confidence::high);
}

TEST_F(ConfidenceOf, AValueNearItsThresholdIsMediumAndSaysWhich) {
  const Diagnosis d = with({{"blocks", 200, "1", 132}, {"idle SMs", 0.101, "share", 0.10}});
  EXPECT_EQ(d.confidence, Confidence::medium);
  EXPECT_THAT(d.confidence_why, HasSubstr("idle SMs"));
}

TEST_F(ConfidenceOf, AnotherRunShowsTheSameOfWhatTheLaunchFixes) {
  EXPECT_EQ(with({{"blocks", 128, "1", 132, true}}).confidence, Confidence::high);
  kernel().grid = {128, 1, 1};
  device.sm_count = 132;
  const auto found = fired("small_grid");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].confidence, Confidence::high) << found[0].confidence_why;
}

TEST_F(ConfidenceOf, AShareOfFewSamplesIsLow) {
  const std::vector<Evidence> stalled = {{"stalled on barrier", 0.35, "share", 0.30}};
  kernel().stall_samples = 100;  // 0.35 is known to 0.09
  EXPECT_EQ(with(stalled).confidence, Confidence::low);
  EXPECT_THAT(with(stalled).confidence_why, HasSubstr("100 samples"));
  kernel().stall_samples = 10000;  // to 0.009
  EXPECT_EQ(with(stalled).confidence, Confidence::high);
}

TEST_F(ConfidenceOf, SamplesOfSeveralVariantsTogetherAreNoneOfThemsAlone) {
  kernel().variant = "first";
  kernel().stall_samples = 100000;
  const std::vector<Evidence> stalled = {{"stalled on barrier", 0.528, "share", 0.30}};
  EXPECT_EQ(with(stalled).confidence, Confidence::high);
  analysis.kernels.push_back(kernel());
  analysis.kernels.back().variant = "second";
  EXPECT_EQ(with(stalled).confidence, Confidence::low);
  EXPECT_THAT(with(stalled).confidence_why,
              HasSubstr("100,000 samples are of first and second together"));
}

TEST_F(ConfidenceOf, TwoRolesOfOneVariantThatRunTheSameCodeShareTheirSamples) {
  kernel().variant = "first";
  kernel().role = "scores";
  kernel().stall_samples = 100000;
  analysis.kernels.push_back(kernel());
  analysis.kernels.back().role = "output";
  const Diagnosis d = with({{"stalled on barrier", 0.528, "share", 0.30}});
  EXPECT_EQ(d.confidence, Confidence::low);
  EXPECT_THAT(d.confidence_why, HasSubstr("of first's scores and first's output together"));
}

TEST_F(ConfidenceOf, TheLittleThatAnotherVariantCanHaveOfTheSamplesDoesNotMatter) {
  kernel().stall_samples = 100000;
  analysis.kernels.push_back(kernel());
  analysis.kernels.back().variant = "second";
  analysis.kernels.back().time_s = 0.01 * *kernel().time_s;
  EXPECT_EQ(with({{"stalled on barrier", 0.528, "share", 0.30}}).confidence, Confidence::high);
  analysis.kernels.back().time_s = 0.1 * *kernel().time_s;
  EXPECT_EQ(with({{"stalled on barrier", 0.35, "share", 0.30}}).confidence, Confidence::low);
}

TEST_F(ConfidenceOf, AShareThatPassesItsThresholdWhoeverHasTheSamplesIsMedium) {
  kernel().variant = "first";
  kernel().stall_samples = 100000;
  analysis.kernels.push_back(kernel());
  analysis.kernels.back().variant = "second";
  const Diagnosis d = with({{"stalled on barrier", 0.79, "share", 0.30}});
  EXPECT_EQ(d.confidence, Confidence::medium);
  EXPECT_THAT(d.confidence_why, HasSubstr("first and second together"));
}

TEST_F(ConfidenceOf, EvidenceWithoutAThresholdIsMedium) {
  EXPECT_EQ(with({{"partial results", 1e6, "byte", std::nullopt}}).confidence, Confidence::medium);
  EXPECT_EQ(with({}).confidence, Confidence::medium);
}

TEST_F(ConfidenceOf, EveryDiagnosisHasOne) {
  kernel().stalls = {{"barrier", 0.31, false}};
  kernel().stall_samples = 50;
  const auto found = fired("barrier_stalls");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].confidence, Confidence::low);
}

}  // namespace
}  // namespace ridgepoint
