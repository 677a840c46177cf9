#include "analyzer/rules/registry.h"

#include <algorithm>
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
  EXPECT_NEAR(RunGains(analysis).of(found[0]), 0.18, 1e-12);
  EXPECT_NEAR(RunGains(analysis).of(found[1]), 0.05, 1e-12);
}

TEST_F(Registry, NothingLoudHidesBelowQuieterAdvice) {
  kernel().occupancy.waves = 1;
  // Half of a kernel that is a hundredth of the run is no longer critical, so that a tenth of the
  // rest may stand above it.
  analysis.kernels.push_back(kernel());
  session.kernels.resize(2);
  analysis.kernels[0].time_share = 0.01;
  analysis.kernels[0].balance = {0.1, 0.4, 1.0};
  analysis.kernels[1].time_share = 0.99;
  analysis.kernels[1].balance = {0.6, 0.9, 1.0};
  const auto found = all_fired();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kernel, 1U);
  EXPECT_EQ(found[1].severity, Severity::notice);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                             [](const auto& a, const auto& b) { return a.severity > b.severity; }));
}

TEST_F(Registry, AVariantIsARunOfItsOwn) {
  analysis.kernels.push_back(kernel());
  analysis.kernels[0].variant = "naive";
  analysis.kernels[0].time_share = 0.9;
  analysis.kernels[1].variant = "fused";
  analysis.kernels[1].time_share = 0.1;
  Diagnosis d;
  d.kernel = 1;
  d.variant = "fused";
  d.estimated_gain = 0.3;
  EXPECT_NEAR(RunGains(analysis).of(d), 0.3, 1e-12);
}

}  // namespace
}  // namespace ridgepoint
