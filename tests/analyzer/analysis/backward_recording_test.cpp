// What the analyzer makes of a backward run recorded on an H200: batch 4, 16 heads, N = 4096, d =
// 128.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/attention/flop.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

class BackwardRecording : public ::testing::Test {
 protected:
  const Session session = test_support::recording(test_support::backward_recording);
  const Analysis analysis = test_support::analysed(session);

  const VariantAnalysis& variant(const std::string& name) const {
    return *std::find_if(analysis.variants.begin(), analysis.variants.end(),
                         [&](const VariantAnalysis& one) { return one.name == name; });
  }
  const std::vector<std::string> recomputing = {"fused", "hopper", "hopper_deterministic"};
};

TEST_F(BackwardRecording, EveryVariantsGradientsAreRight) {
  ASSERT_EQ(analysis.variants.size(), 4U);
  for (const VariantAnalysis& one : analysis.variants) {
    ASSERT_TRUE(one.correctness) << one.name;
    EXPECT_TRUE(one.correctness->passed) << one.name;
    EXPECT_FALSE(one.correctness->lse_max_abs_error) << "a backward pass makes no LSE";
    ASSERT_EQ(one.correctness->tensors.size(), 3U);
    for (const TensorError& tensor : one.correctness->tensors) {
      EXPECT_GT(tensor.max_abs_error, 0) << one.name << " " << tensor.tensor;
      EXPECT_LT(tensor.max_abs_error, 3 * tensor.reference_16bit_max_abs_error);
    }
  }
}

TEST_F(BackwardRecording, KeepingPTakesMemoryInTheSquareOfTheLength) {
  const double matrix = 2.0 * 64 * 4096 * 4096;
  EXPECT_EQ(*variant("naive").saved_bytes, matrix);
  EXPECT_EQ(variant("naive").workspace_bytes, 2 * matrix) << "dP and dS";
  for (const std::string& name : recomputing) {
    EXPECT_EQ(*variant(name).saved_bytes, 0) << name;
    EXPECT_LT(variant(name).workspace_bytes, matrix / 10) << name;
  }
}

TEST_F(BackwardRecording, ComputingPAgainCostsAQuarterMoreFlopAsCounted) {
  const double kept = *variant("naive").flop.tensor;
  EXPECT_NEAR(kept / product_flop(*analysis.attention, 4), 1.0, 0.02);
  for (const std::string& name : recomputing) {
    EXPECT_NEAR(*variant(name).flop.tensor / kept, 1.25, 0.02) << name;
  }
  EXPECT_THAT(analysis.issues, ::testing::Not(Contains(Field(&Issue::code, HasSubstr("flop.")))));
}

TEST_F(BackwardRecording, TheIoModelPredictsTheBytesOfEveryLevel) {
  for (const VariantAnalysis& one : analysis.variants) {
    const auto ratio = [&](MemoryLevel level) {
      return *one.traffic[level].measured.total / *one.traffic[level].predicted;
    };
    EXPECT_NEAR(ratio(MemoryLevel::hbm), 1.0, 0.03) << one.name;
    // The deterministic kernel also polls the turns of its additions in L2.
    EXPECT_NEAR(ratio(MemoryLevel::l2), 1.0, 0.12) << one.name;
    EXPECT_NEAR(ratio(MemoryLevel::smem), 1.0, 0.10) << one.name;
  }
}

// Only arguments tell hopper from hopper_deterministic, and the kernel for the rows is one for all.
TEST_F(BackwardRecording, SamplesThatAreOfSeveralVariantsTogetherAreSaidToBe) {
  EXPECT_THAT(
      analysis.issues,
      Contains(::testing::AllOf(
          Field(&Issue::code, "stalls.shared"),
          Field(&Issue::text, HasSubstr("hopper, hopper_deterministic launch 2 kernels")))));
}

// Both get the same share of the same samples: neither can be sure that it is its own.
TEST_F(BackwardRecording, ADiagnosisFromSamplesOfSeveralVariantsIsNotSure) {
  int seen = 0;
  for (const Diagnosis& one : analysis.diagnoses) {
    const bool of_stalls =
        !one.evidence.empty() && one.evidence.front().quantity.rfind("stalled on ", 0) == 0;
    if (of_stalls && one.variant.rfind("hopper", 0) == 0) {
      ++seen;
      const bool surely_passes =
          one.evidence.front().value > 0.65;  // also if half were the other's
      EXPECT_EQ(one.confidence, surely_passes ? Confidence::medium : Confidence::low) << one.title;
      EXPECT_THAT(one.confidence_why, HasSubstr("hopper and hopper_deterministic together"));
    }
  }
  EXPECT_GE(seen, 2);
}

TEST_F(BackwardRecording, TheAdviceIsToComputePAgain) {
  const auto& found = analysis.diagnoses;
  const auto advice = std::find_if(found.begin(), found.end(), [](const Diagnosis& d) {
    return d.id == "materialised_intermediates";
  });
  ASSERT_NE(advice, found.end());
  EXPECT_EQ(advice->variant, "naive");
  EXPECT_THAT(advice->title, HasSubstr("writes dP and dS to HBM"));
  EXPECT_THAT(advice->action, HasSubstr("compute P again"));
  EXPECT_THAT(advice->action, HasSubstr("hopper does that"));
}

}  // namespace
}  // namespace ridgepoint
