#include "analyzer/rules/registry.h"

#include <set>

#include "tests/analyzer/rules/one_kernel.h"

namespace ridgepoint {
namespace {

struct Registry : testing::OneKernel {};

TEST_F(Registry, EveryRuleHasItsOwnIdAndSaysWhenItDoesNotApply) {
  std::set<std::string> ids;
  for (const Rule& rule : all_rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_STRNE(rule.not_applicable_when, "") << rule.id;
  }
  EXPECT_GE(ids.size(), 30U);
}

TEST_F(Registry, AnUnremarkableKernelGetsNoDiagnosis) {
  EXPECT_THAT(all_fired(), ::testing::IsEmpty());
}

TEST_F(Registry, AKernelOfWhichNothingWasMeasuredGetsNoDiagnosis) {
  KernelAnalysis blank;
  blank.grid = {1320, 1, 1};
  analysis.kernels = {blank};
  EXPECT_THAT(all_fired(), ::testing::IsEmpty());
}

TEST_F(Registry, TheLargestGainOfTheWholeRunComesFirst) {
  kernel().occupancy.waves = 1;
  // Half of a kernel that takes a tenth of the time is less than a fifth of one that takes nine
  // tenths.
  analysis.kernels.push_back(kernel());
  session.kernels.resize(2);
  analysis.kernels[0].time_share = 0.1;
  analysis.kernels[0].balance = {0.1, 0.5, 1.0};
  analysis.kernels[1].time_share = 0.9;
  analysis.kernels[1].balance = {0.6, 0.8, 1.0};
  const auto found = all_fired();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kernel, 1U);
  EXPECT_NEAR(gain_of_run(analysis, found[0]), 0.18, 1e-12);
  EXPECT_NEAR(gain_of_run(analysis, found[1]), 0.05, 1e-12);
}

}  // namespace
}  // namespace ridgepoint
