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
  EXPECT_EQ(text.gain, "up to 14.0 % of the kernel's time: share of time x (1 - 1 / headroom)");
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

}  // namespace
}  // namespace ridgepoint
