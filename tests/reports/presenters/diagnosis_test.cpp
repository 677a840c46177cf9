#include "reports/presenters/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using test_support::sample_analysis;

TEST(DiagnosisText, NamesTheKernelItsEvidenceTheActionAndTheGain) {
  const Analysis analysis = sample_analysis();
  const DiagnosisText text = describe(analysis, analysis.diagnoses[2]);
  EXPECT_EQ(text.subject, "naive_softmax (naive)");
  EXPECT_EQ(text.severity, "notice");
  EXPECT_THAT(text.evidence,
              ::testing::ElementsAre("HBM bandwidth utilisation 79.3 % (threshold 80.0 %)",
                                     "HBM bytes 4.34 GB"));
  EXPECT_THAT(text.action, ::testing::StartsWith("Move fewer bytes"));
}

// The list is sorted by gain x share of the time, so both stand there.
TEST(DiagnosisText, ShowsTheGainThatTheOrderFollows) {
  Analysis analysis = sample_analysis();
  analysis.kernels[1].time_share = 0.25;
  EXPECT_EQ(describe(analysis, analysis.diagnoses[2]).gain,
            "up to 14.0 % of the kernel's time, 4.07 % of the time of naive: "
            "share of time x (1 - 1 / headroom)");
  analysis.kernels[1].time_share.reset();
  EXPECT_EQ(describe(analysis, analysis.diagnoses[2]).gain,
            "up to 14.0 % of the kernel's time: share of time x (1 - 1 / headroom)");
}

TEST(DiagnosisText, SaysWhenTheGainIsNotEstimated) {
  Analysis analysis = sample_analysis();
  analysis.diagnoses[0].estimated_gain.reset();
  EXPECT_EQ(describe(analysis, analysis.diagnoses[0]).gain, "gain not estimated");
}

TEST(DiagnosisText, SpeaksOfTheVariantOrTheRunWhenThereIsNoKernel) {
  Analysis analysis = sample_analysis();
  EXPECT_EQ(describe(analysis, analysis.diagnoses[0]).subject, "naive");
  analysis.diagnoses[0].variant.clear();
  EXPECT_EQ(describe(analysis, analysis.diagnoses[0]).subject, "the whole run");
}

TEST(DiagnosisText, IgnoresAKernelIndexThatDoesNotExist) {
  Analysis analysis = sample_analysis();
  analysis.diagnoses[1].kernel = 99;
  EXPECT_EQ(describe(analysis, analysis.diagnoses[1]).kernel, std::nullopt);
}

TEST(DescribeDiagnoses, TakesTheFirstOnes) {
  EXPECT_EQ(describe_diagnoses(sample_analysis(), 5).size(), 5U);
  EXPECT_EQ(describe_diagnoses(sample_analysis(), 99).size(), 6U);
}

TEST(DescribeDiagnoses, NeverHidesACriticalOneBehindTheLimit) {
  Analysis analysis = sample_analysis();
  analysis.diagnoses[4].severity = Severity::critical;
  const std::vector<DiagnosisText> texts = describe_diagnoses(analysis, 2);
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_EQ(texts[2].severity, "critical");
  EXPECT_EQ(texts[2].position, 5U);
}

}  // namespace
}  // namespace ridgepoint
