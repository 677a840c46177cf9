// Inputs and outputs, intermediates and re-reads in recordings from a real H200.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "analyzer/analysis/analyse.h"
#include "analyzer/attention/flop.h"
#include "analyzer/session/session_file.h"

namespace ridgepoint {
namespace {

struct Split : ::testing::TestWithParam<const char*> {
  Analysis analysis;

  void SetUp() override {
    const auto session =
        read_session(std::filesystem::path(RIDGEPOINT_SOURCE_DIR) / "data/recordings" / GetParam());
    ASSERT_TRUE(session) << session.error().why;
    auto result = analyse(*session);
    ASSERT_TRUE(result) << result.error().why;
    analysis = std::move(*result);
  }
  double matrix() const {  // S or P where every pair is visible, half of it under the mask
    const AttentionShape& s = *analysis.attention;
    return 2 * static_cast<double>(s.batch * s.heads) * visible_pairs(s);
  }
};

TEST_P(Split, PartsAddUpToWhatWasCountedForEveryKernelAndVariant) {
  for (const VariantAnalysis& variant : analysis.variants) {
    for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2}) {
      ASSERT_TRUE(variant.split[level]) << variant.name;
      EXPECT_NEAR(variant.split[level]->total() / *variant.traffic[level].measured.total, 1, 1e-12)
          << variant.name;
      for (const std::size_t member : variant.kernels) {
        const KernelAnalysis& kernel = analysis.kernels[member];
        ASSERT_TRUE(kernel.split[level]) << kernel.short_name;
        EXPECT_NEAR(kernel.split[level]->total() / *kernel.traffic[level].total, 1, 1e-12);
        EXPECT_GE(kernel.split[level]->again, 0);
      }
    }
  }
}

TEST_P(Split, NoVariantOwesMoreOfTheProblemsTensorsThanTheProblemHas) {
  for (const VariantAnalysis& variant : analysis.variants) {
    EXPECT_LE(variant.split[MemoryLevel::hbm]->inputs_outputs,
              compulsory_bytes(*analysis.attention) * (1 + 1e-9))
        << variant.name;
  }
}

TEST_P(Split, MostOfWhatNaiveMovesIsIntermediate) {
  const VariantAnalysis& naive = analysis.variants.front();
  const bool backward = analysis.attention->direction == "backward";
  // Forward S and P, written and read; backward P twice, dP and dS: seven passes in all.
  const double passes = backward ? 7 : 4;
  EXPECT_NEAR(naive.split[MemoryLevel::hbm]->intermediates / (passes * matrix()), 1, 0.05);
  EXPECT_LT(naive.split[MemoryLevel::hbm]->again,
            0.10 * *naive.traffic[MemoryLevel::hbm].measured.total);
}

TEST_P(Split, FusionHasNoMatricesAndL2SavesFarMoreThanHbmSends) {
  for (const VariantAnalysis& variant : analysis.variants) {
    if (variant.name == "naive") {
      continue;
    }
    const TrafficSplit& hbm = *variant.split[MemoryLevel::hbm];
    if (analysis.attention->direction == "forward") {
      EXPECT_EQ(hbm.intermediates, 0) << variant.name;
    } else {
      EXPECT_LT(hbm.intermediates, matrix()) << variant.name;
    }
    ASSERT_TRUE(variant.l2_saved_bytes);
    const double times = analysis.attention->direction == "forward" ? 10 : 2;
    EXPECT_GT(*variant.l2_saved_bytes, times * hbm.total()) << variant.name;
  }
}

INSTANTIATE_TEST_SUITE_P(H200, Split,
                         ::testing::Values("attention-n16384-d64.ridge",
                                           "attention-n4096-d128.ridge",
                                           "attention-n8192-d128-causal.ridge",
                                           "attention-n4096-d128-backward.ridge"),
                         [](const auto& one) {
                           std::string name = std::filesystem::path(one.param).stem().string();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace ridgepoint
