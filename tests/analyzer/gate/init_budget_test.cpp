#include "analyzer/gate/init_budget.h"

#include <gtest/gtest.h>

#include "analyzer/gate/judge.h"
#include "analyzer/open/open_analysis.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using test_support::analysed;
using test_support::recording;

TEST(InitBudget, IsKeptByTheSessionItCameFrom) {
  for (const char* name : {test_support::wide_recording, test_support::batched_recording,
                           test_support::causal_recording}) {
    const Analysis analysis = analysed(recording(name));
    const auto budget = budget_from(analysis);
    ASSERT_TRUE(budget) << format_error(budget.error());
    EXPECT_GE(budget->checks.size(), 10U);
    EXPECT_EQ(judge_budget(*budget, analysis, nullptr).verdict(), CheckStatus::passed) << name;
    const auto l2 = std::find_if(
        budget->checks.begin(), budget->checks.end(),
        [](const BudgetCheck& check) { return check.quantity == "l2_bytes.measured"; });
    ASSERT_NE(l2, budget->checks.end());
    EXPECT_EQ(l2->l2_merged, true) << "the limit says what it counts";
    const auto again = parse_budget(budget_to_json(*budget), "again");
    ASSERT_TRUE(again) << format_error(again.error());
    EXPECT_EQ(again->checks[static_cast<std::size_t>(l2 - budget->checks.begin())].l2_merged, true);
  }
}

TEST(InitBudget, IsNotForTheSameShapeWithTheCausalMask) {
  for (const char* name : {test_support::wide_recording, test_support::causal_recording}) {
    Session session = recording(name);
    const auto budget = budget_from(analysed(session));
    ASSERT_TRUE(budget);
    session.attention->shape.causal = !session.attention->shape.causal;
    EXPECT_EQ(judge_budget(*budget, analysed(session), nullptr).verdict(), CheckStatus::no_verdict);
  }
}

TEST(InitBudget, HoldsTheTimesOfKernelsWhereNothingElseIsTimed) {
  const auto analysis =
      open_analysis(std::string(RIDGEPOINT_SOURCE_DIR) +
                    "/tests/data/nsight-compute/three-kernels-cache-none.raw.csv");
  ASSERT_TRUE(analysis);
  const auto budget = budget_from(*analysis);
  ASSERT_TRUE(budget);
  EXPECT_TRUE(std::any_of(budget->checks.begin(), budget->checks.end(), [](const BudgetCheck& c) {
    return c.scope == BudgetScope::kernel && c.quantity == "per_launch.time_s";
  }));
  EXPECT_EQ(judge_budget(*budget, *analysis, nullptr).verdict(), CheckStatus::passed);
}

// The second kernel of split_kv moves 8 kB through HBM, of 269 MB: what others left in L2.
TEST(InitBudget, LeavesOutTheHbmBytesOfAKernelThatHardlyHasAny) {
  const auto budget = budget_from(analysed(recording(test_support::decode_recording)));
  ASSERT_TRUE(budget);
  int kept = 0;
  for (const BudgetCheck& check : budget->checks) {
    if (check.scope == BudgetScope::kernel && check.quantity == "per_launch.hbm_bytes") {
      EXPECT_EQ(check.match.find("split_kv_combine"), std::string::npos);
      ++kept;
    }
  }
  EXPECT_EQ(kept, 6);
}

TEST(InitBudget, RefusesASessionThatHoldsNothingOrIsWrong) {
  EXPECT_EQ(exit_code_for(budget_from(Analysis()).error()), ExitCode::no_verdict);
  Session session = recording();
  session.attention->variants[0].correctness->passed = false;
  EXPECT_FALSE(budget_from(analysed(session)));
}

}  // namespace
}  // namespace ridgepoint
