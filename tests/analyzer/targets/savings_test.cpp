#include "analyzer/targets/savings.h"

#include <gmock/gmock.h>

#include "analyzer/targets/cost.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;

TargetResult missed(double value, double target, bool at_least, const char* unit) {
  TargetResult result;
  result.variant = "fused";
  result.value = value;
  result.target = target;
  result.at_least = at_least;
  result.unit = unit;
  result.verdict = Verdict::missed;
  return result;
}

Analysis analysis_with(TargetResult target, std::optional<double> cost = std::nullopt) {
  Analysis analysis;
  VariantAnalysis variant;
  variant.name = "fused";
  variant.cost_per_million_tokens = cost;
  analysis.variants = {variant};
  analysis.targets = {std::move(target)};
  add_savings(analysis);
  return analysis;
}

TEST(Cost, IsThePriceOfTheTimeThatAMillionTokensTake) {
  EXPECT_DOUBLE_EQ(*cost_per_million_tokens(1e6, 3.6), 1e-3);
  EXPECT_FALSE(cost_per_million_tokens(1e6, std::nullopt));
  EXPECT_FALSE(cost_per_million_tokens(std::nullopt, 3.6));
}

TEST(Savings, AtHalfTheTargetHalfTheTimeAndCostWouldBeSaved) {
  const Analysis analysis = analysis_with(missed(0.4, 0.8, true, "share"), 0.02);
  EXPECT_DOUBLE_EQ(*analysis.targets[0].time_saved_share, 0.5);
  EXPECT_DOUBLE_EQ(*analysis.targets[0].cost_saved_per_million_tokens, 0.01);
  EXPECT_THAT(analysis.targets[0].why, HasSubstr("save 50.0 % of the time and 0.01 of the 0.02"));
}

TEST(Savings, OfLatencyAreWhatItExceedsTheTargetBy) {
  const Analysis analysis = analysis_with(missed(4e-3, 1e-3, false, "s"));
  EXPECT_DOUBLE_EQ(*analysis.targets[0].time_saved_share, 0.75);
  EXPECT_FALSE(analysis.targets[0].cost_saved_per_million_tokens);
}

TEST(Savings, AreNotClaimedForAStallRatioOrATargetThatIsMet) {
  EXPECT_FALSE(analysis_with(missed(0.4, 0.1, false, "share")).targets[0].time_saved_share);
  TargetResult met = missed(0.9, 0.8, true, "share");
  met.verdict = Verdict::met;
  EXPECT_FALSE(analysis_with(met).targets[0].time_saved_share);
}

}  // namespace
}  // namespace ridgepoint
