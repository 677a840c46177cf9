#include "reports/presenters/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "tests/support/recordings.h"
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

struct Size {
  double bytes = 0;
  bool binary = false;
  std::string text;
};

// "80 KiB" and "81.9 kB" of a text.
std::vector<Size> sizes_in(const std::string& text) {
  const std::regex pattern("([0-9][0-9,]*(?:\\.[0-9]+)?) ([kKM])(i?)B(?![/a-zA-Z])");
  std::vector<Size> sizes;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), pattern);
       at != std::sregex_iterator(); ++at) {
    std::string digits = (*at)[1].str();
    digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
    const bool binary = (*at)[3].length() > 0;
    const double kilo = binary ? 1024 : 1000;
    sizes.push_back(
        {std::stod(digits) * ((*at)[2].str() == "M" ? kilo * kilo : kilo), binary, at->str()});
  }
  return sizes;
}

// Of shared memory prose said "80 KiB" where the evidence beside it said "81.9 kB".
TEST(DiagnosisText, SpeaksOfOneQuantityInOneUnit) {
  std::size_t binary = 0;
  for (const char* name : {test_support::wide_recording, test_support::batched_recording,
                           test_support::backward_recording, test_support::decode_recording,
                           test_support::causal_recording}) {
    const Analysis analysis = test_support::analysed(test_support::recording(name));
    for (const Diagnosis& diagnosis : analysis.diagnoses) {
      const DiagnosisText text = describe(analysis, diagnosis);
      std::string all = text.title + "\n" + text.explanation + "\n" + text.action;
      for (const std::string& line : text.evidence) {
        all += "\n" + line;
      }
      const std::vector<Size> sizes = sizes_in(all);
      for (const Size& one : sizes) {
        binary += one.binary ? 1 : 0;
        for (const Size& other : sizes) {
          EXPECT_TRUE(one.binary == other.binary ||
                      std::abs(one.bytes - other.bytes) > 0.005 * one.bytes)
              << name << ": " << one.text << " and " << other.text << " in\n"
              << all;
        }
      }
    }
  }
  EXPECT_GT(binary, 0U) << "no diagnosis speaks of shared memory any more";
}

TEST(DiagnosisText, PrintsTheSizeOfAMemoryInKibibytesAndBytesMovedInDecimals) {
  Analysis analysis = sample_analysis();
  analysis.diagnoses[0].evidence = {{"shared memory a block", 81920, "byte", 58368.0, true, true},
                                    {"bytes looked up in L2", 81920, "byte", std::nullopt}};
  EXPECT_THAT(describe(analysis, analysis.diagnoses[0]).evidence,
              ::testing::ElementsAre("shared memory a block 80 KiB (threshold 57 KiB)",
                                     "bytes looked up in L2 81.9 kB"));
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
