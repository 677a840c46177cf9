#include "analyzer/gate/check_ids.h"

#include <gmock/gmock.h>

#include <set>

#include "analyzer/gate/init_budget.h"
#include "analyzer/gate/judge.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using test_support::analysed;
using test_support::recording;

std::vector<std::string> names_of(const GateResult& result) {
  std::vector<std::string> texts;
  for (const CheckName& name : check_names(result)) {
    texts.push_back(name.text);
  }
  return texts;
}

// Every limit of a first budget, once more with patterns that match all variants and kernels.
Budget thorough_budget() {
  Budget budget = budget_from(analysed(recording())).value();
  const std::size_t first = budget.checks.size();
  for (std::size_t i = 0; i < first; ++i) {
    BudgetCheck wide = budget.checks[i];
    wide.match = "*";
    wide.variant = "*";
    wide.id = "mine";
    wide.min = 0;
    budget.checks.push_back(wide);
  }
  return budget;
}

TEST(CheckNames, NoTwoResultsOfAVerdictHaveOne) {
  const GateResult result = judge_budget(thorough_budget(), analysed(recording()), nullptr);
  const std::vector<std::string> names = names_of(result);
  EXPECT_GT(names.size(), 60U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(CheckNames, AnotherRunUnderTheSameBudgetHasTheSame) {
  Session slower = recording();
  test_support::slow_down(slower, "fused", 3);
  test_support::scale_counter(slower, "dram__bytes_write.sum", not_measured);
  const Budget budget = thorough_budget();
  EXPECT_EQ(names_of(judge_budget(budget, analysed(slower), nullptr)),
            names_of(judge_budget(budget, analysed(recording()), nullptr)));
}

TEST(CheckNames, SayScopeSubjectIdAndLimitAndCountRepetitions) {
  CheckResult check;
  check.id = "latency_s.p50";
  check.subject = "fused";
  check.limit_kind = "max";
  CheckResult trap = check;
  trap.limit_kind = "max #2";
  EXPECT_THAT(
      names_of({{}, {check, trap, check}}),
      testing::ElementsAre("variant/fused/latency_s.p50/max", "variant/fused/latency_s.p50/max #2",
                           "variant/fused/latency_s.p50/max #3"));
}

}  // namespace
}  // namespace ridgepoint
