#include "analyzer/compare/match.h"

#include <gtest/gtest.h>

#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using test_support::analysed;
using test_support::recording;

KernelAnalysis kernel(const std::string& name, const std::string& role = "",
                      const std::string& variant = "") {
  KernelAnalysis k;
  k.name = name;
  k.short_name = name;
  k.role = role;
  k.variant = variant;
  return k;
}

TEST(MatchKernels, PairsARecordingWithItselfByName) {
  const Analysis analysis = analysed(recording());
  const Matching matching = match_kernels(analysis, analysis);
  ASSERT_EQ(matching.pairs.size(), analysis.kernels.size());
  for (const MatchedPair& pair : matching.pairs) {
    EXPECT_EQ(pair.base, pair.now);
    EXPECT_EQ(pair.by, MatchedBy::name);
  }
  EXPECT_TRUE(matching.only_base.empty());
}

TEST(MatchKernels, FindsTheSameRoleInAnotherInstantiation) {
  const Analysis d64 = analysed(recording(test_support::wide_recording));
  const Analysis d128 = analysed(recording(test_support::batched_recording));
  const Matching matching = match_kernels(d64, d128);
  ASSERT_EQ(matching.pairs.size(), 4U);
  for (const MatchedPair& pair : matching.pairs) {
    EXPECT_EQ(d64.kernels[pair.base].role, d128.kernels[pair.now].role);
  }
  EXPECT_EQ(matching.pairs[0].by, MatchedBy::role);
  EXPECT_EQ(matching.pairs[1].by, MatchedBy::name);  // naive_softmax<__half, 256> is one function
}

TEST(MatchKernels, PairsByBaseNameAndLaunchShapeLast) {
  Analysis base;
  Analysis now;
  base.kernels = {kernel("void gemm<float, 64>(float*)")};
  now.kernels = {kernel("void gemm<float, 128>(float*)")};
  EXPECT_EQ(match_kernels(base, now).pairs.at(0).by, MatchedBy::shape);
  now.kernels[0].grid.x = 7;
  EXPECT_TRUE(match_kernels(base, now).pairs.empty());
}

TEST(MatchKernels, LeavesAloneWhatIsAmbiguous) {
  Analysis base;
  Analysis now;
  base.kernels = {kernel("a", "attention"), kernel("b", "attention")};
  now.kernels = {kernel("c", "attention")};
  const Matching matching = match_kernels(base, now);
  EXPECT_TRUE(matching.pairs.empty());
  EXPECT_EQ(matching.only_base.size(), 2U);
  EXPECT_EQ(matching.only_now.size(), 1U);
}

TEST(MatchVariants, FollowsARenamedVariantByTheRolesOfItsKernels) {
  Session session = recording();
  for (VariantRun& run : session.attention->variants) {
    run.name = run.name == "fused" ? "fused_v2" : run.name;
  }
  const Matching matching = match_variants(analysed(recording()), analysed(session));
  ASSERT_EQ(matching.pairs.size(), 2U);
  EXPECT_EQ(matching.pairs[0].by, MatchedBy::name);
  EXPECT_EQ(matching.pairs[1].by, MatchedBy::role);
}

}  // namespace
}  // namespace ridgepoint
