// One token of eight sequences against 8,192 kept ones, 32 query heads in 8 groups, as an H200 ran
// it: what packing the heads of a group and sharing out the keys are worth.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/attention/flop.h"
#include "analyzer/traffic/sm_reads.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;

class DecodeRecording : public ::testing::Test {
 protected:
  const Analysis analysis =
      test_support::analysed(test_support::recording(test_support::decode_recording));
  const double k_and_v = 2 * key_bytes(*analysis.attention);

  const VariantAnalysis& variant(const std::string& name) const {
    return *std::find_if(analysis.variants.begin(), analysis.variants.end(),
                         [&](const VariantAnalysis& one) { return one.name == name; });
  }
  double received(const std::string& name) const {
    return sm_reads(analysis, variant(name))->received;
  }
};

TEST_F(DecodeRecording, HasTheFourVariantsSideBySideAndEachIsRight) {
  std::vector<std::string> names;
  for (const VariantAnalysis& one : analysis.variants) {
    names.push_back(one.name);
    ASSERT_TRUE(one.correctness) << one.name;
    EXPECT_TRUE(one.correctness->passed) << one.name;
  }
  EXPECT_THAT(names, ElementsAre("naive", "fused", "hopper", "split_kv"));
}

TEST_F(DecodeRecording, SharedOutKeysAreReadTwiceAsFastAsByAnyOther) {
  for (const char* other : {"naive", "fused", "hopper"}) {
    EXPECT_GT(*variant(other).time_s / *variant("split_kv").time_s, 2.0) << other;
  }
  const KernelAnalysis& kernel = analysis.kernels[variant("split_kv").kernels.front()];
  EXPECT_EQ(kernel.role, "split_attention");
  EXPECT_EQ(kernel.bound_by, BoundBy::hbm);
  EXPECT_GT(*kernel.utilisation[MemoryLevel::hbm], 0.85);
}

// Packed, K and V pass to the SMs once for the four heads of a group; unpacked, four times.
TEST_F(DecodeRecording, PackedHeadsReceiveTheKeysOnceAndUnpackedOnesOnceEach) {
  EXPECT_NEAR(received("split_kv") / k_and_v, 1, 0.01);
  for (const char* unpacked : {"naive", "fused", "hopper"}) {
    EXPECT_NEAR(received(unpacked) / k_and_v, 4, 0.1) << unpacked;
  }
}

// The four heads of a group walk the same keys in step: about half of their requests meet.
TEST_F(DecodeRecording, L2AnswersTheHeadsOfAGroupTogether) {
  const auto reads = sm_reads(analysis, variant("hopper"));
  EXPECT_LT(reads->looked_up, 0.75 * reads->received);
  EXPECT_NEAR(sm_reads(analysis, variant("split_kv"))->merged() / k_and_v, 0, 0.01);
}

// What a user of any of the three should change first, and not 4 of 32 bytes in 256 stores.
TEST_F(DecodeRecording, TheDiagnosesNameThePaddingAndWhatPackingSaved) {
  std::vector<std::string> padded;
  for (const Diagnosis& one : analysis.diagnoses) {
    EXPECT_FALSE(one.id == "partly_used_sectors" && one.variant == "hopper") << one.title;
    if (one.id == "padded_query_tiles") {
      padded.push_back(one.variant);
      EXPECT_EQ(one.gain_kind, GainKind::measured);
    }
  }
  EXPECT_THAT(padded, ElementsAre("naive", "fused", "hopper"));
  EXPECT_EQ(analysis.diagnoses.front().id, "padded_query_tiles");
}

TEST_F(DecodeRecording, ThePartsResultsAreItsIntermediatesAndLittle) {
  const TrafficSplit& split = *variant("split_kv").split[MemoryLevel::l2];
  const double partials = static_cast<double>(variant("split_kv").workspace_bytes);
  EXPECT_NEAR(split.intermediates / (2 * partials), 1, 0.05) << "written, and read again";
  EXPECT_LT(split.intermediates, 0.01 * k_and_v);
}

}  // namespace
}  // namespace ridgepoint
