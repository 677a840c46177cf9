// What the analyzer makes of recordings from a real H200.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "analyzer/analysis/analyse.h"
#include "analyzer/attention/flop.h"
#include "analyzer/roofline/placement.h"
#include "analyzer/session/session_file.h"
#include "analyzer/traffic/sm_reads.h"

namespace ridgepoint {
namespace {

using ::testing::Contains;
using ::testing::Field;

const std::filesystem::path recording =
    std::filesystem::path(RIDGEPOINT_SOURCE_DIR) / "data/recordings/attention-n16384-d64.ridge";

struct Recording : ::testing::Test {
  Analysis analysis;

  void SetUp() override {
    if (!std::filesystem::exists(recording)) {
      GTEST_SKIP() << "the recording " << recording << " is not in this tree";
    }
    const auto session = read_session(recording);
    ASSERT_TRUE(session) << session.error().why;
    auto result = analyse(*session);
    ASSERT_TRUE(result) << result.error().why;
    analysis = std::move(*result);
    ASSERT_TRUE(analysis.attention);
  }

  const VariantAnalysis& variant(const std::string& name) const {
    const auto found = std::find_if(analysis.variants.begin(), analysis.variants.end(),
                                    [&](const VariantAnalysis& one) { return one.name == name; });
    EXPECT_NE(found, analysis.variants.end()) << name;
    return *found;
  }
};

TEST_F(Recording, TensorFlopCountedMatchTheProblem) {
  for (const char* name : {"naive", "fused"}) {
    const VariantAnalysis& one = variant(name);
    ASSERT_TRUE(one.flop.tensor && one.analytic_flop) << name;
    EXPECT_NEAR(*one.flop.tensor / *one.analytic_flop, 1.0, 0.02) << name;
    EXPECT_DOUBLE_EQ(*one.analytic_flop, attention_flop(*analysis.attention));
  }
}

TEST_F(Recording, NaiveMovesTheBytesOfTheScoresAndProbabilities) {
  const AttentionShape& shape = *analysis.attention;
  const double matrices = 8.0 * static_cast<double>(shape.seqlen_q) *
                          static_cast<double>(shape.seqlen_k) * static_cast<double>(shape.heads) *
                          static_cast<double>(shape.batch);
  const auto& hbm = variant("naive").traffic[MemoryLevel::hbm];
  ASSERT_TRUE(hbm.measured.total && hbm.predicted);
  EXPECT_NEAR(*hbm.measured.total / (matrices + compulsory_bytes(shape)), 1.0, 0.10);
  EXPECT_NEAR(*hbm.measured.total / *hbm.predicted, 1.0, 0.10);
}

TEST_F(Recording, FusedMovesHardlyMoreThanItsInputsAndOutputs) {
  const auto& hbm = variant("fused").traffic[MemoryLevel::hbm];
  ASSERT_TRUE(hbm.measured.total);
  EXPECT_LE(*hbm.measured.total, 2 * compulsory_bytes(*analysis.attention));
}

TEST_F(Recording, FusionIsFaster) {
  EXPECT_GT(*variant("fused").speedup_over_first, 1.0);
}

TEST_F(Recording, NaiveIsDiagnosedAsMovingItsIntermediatesThroughHbm) {
  EXPECT_THAT(analysis.diagnoses, Contains(Field(&Diagnosis::id, "materialised_intermediates")));
  for (const std::size_t kernel : variant("naive").kernels) {
    if (analysis.kernels[kernel].role == "softmax") {
      EXPECT_EQ(analysis.kernels[kernel].bound_by, BoundBy::hbm);
    }
  }
}

// Whatever "bound by" names is what the headroom was taken from.
TEST_F(Recording, HeadroomIsThatOfWhatBinds) {
  for (const KernelAnalysis& kernel : analysis.kernels) {
    const auto pipe = busiest_pipe(kernel);
    if (kernel.bound_by == BoundBy::compute && !kernel.bound_pipe.empty()) {
      ASSERT_TRUE(pipe);
      EXPECT_EQ(kernel.bound_pipe, pipe->name);
      EXPECT_NEAR(*kernel.headroom, 1 / pipe->share, 1e-9) << kernel.short_name;
    }
    if (kernel.variant == "hopper") {
      EXPECT_EQ(kernel.bound_pipe, "special-function pipe");
    }
  }
}

TEST_F(Recording, NoUtilisationIsImpossible) {
  for (const KernelAnalysis& kernel : analysis.kernels) {
    for (const auto& share : kernel.utilisation.values) {
      EXPECT_LE(share.value_or(0), 1.05) << kernel.short_name;
    }
    EXPECT_LE(kernel.compute_utilisation.value_or(0), 1.05) << kernel.short_name;
    EXPECT_LE(kernel.balance.active_max_share.value_or(0), 1.0) << kernel.short_name;
    EXPECT_LE(kernel.memory_stall_ratio.value_or(0), 1.0) << kernel.short_name;
  }
}

// The IO model against every recording: naive (S and P far larger than L2) and fused, causal or
// not.
class IoModelOnRecordings : public ::testing::TestWithParam<const char*> {};

TEST_P(IoModelOnRecordings, PredictsTheMeasuredBytes) {
  const auto path = recording.parent_path() / GetParam();
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << "the recording " << path << " is not in this tree";
  }
  const auto session = read_session(path);
  ASSERT_TRUE(session) << session.error().why;
  const auto analysis = analyse(*session);
  ASSERT_TRUE(analysis) << analysis.error().why;
  ASSERT_GE(analysis->variants.size(), 3U);
  for (const VariantAnalysis& variant : analysis->variants) {
    const auto ratio = [&](MemoryLevel level) {
      const LevelPrediction& bytes = variant.traffic[level];
      return bytes.measured.total.value_or(0) / bytes.predicted.value_or(-1);
    };
    EXPECT_NEAR(ratio(MemoryLevel::hbm), 1.0, 0.10) << variant.name;
    EXPECT_NEAR(ratio(MemoryLevel::l2), 1.0, 0.15) << variant.name;
    const auto reads = sm_reads(*analysis, variant);
    ASSERT_TRUE(reads) << variant.name;
    EXPECT_NEAR(reads->received / *variant.predicted_sm_reads, 1.0, 0.15) << variant.name;
    EXPECT_NEAR(ratio(MemoryLevel::smem), 1.0, 0.10) << variant.name;
  }
}

INSTANTIATE_TEST_SUITE_P(H200, IoModelOnRecordings,
                         ::testing::Values("attention-n16384-d64.ridge",
                                           "attention-n4096-d128.ridge",
                                           "attention-n8192-d128-causal.ridge",
                                           "attention-decode-n8192-d128.ridge"));

}  // namespace
}  // namespace ridgepoint
