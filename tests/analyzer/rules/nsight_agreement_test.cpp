// What Nsight Compute's rules said of 21 launches, and what ours say from the same counters.
#include "tests/analyzer/rules/nsight_agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/golden.h"

namespace ridgepoint {
namespace {

class NsightAgreement : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { launches_ = test::judged_launches(); }

  const test::Row& row(const std::string& rule) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const test::Row& one) { return one.rule == rule; });
    EXPECT_NE(found, rows_.end()) << rule;
    return found == rows_.end() ? rows_.front() : *found;
  }

  static std::vector<test::JudgedLaunch> launches_;
  std::vector<test::Row> rows_ = test::agreement(launches_);
};
std::vector<test::JudgedLaunch> NsightAgreement::launches_;

TEST_F(NsightAgreement, EveryDisagreementHasAReasonInTheCountersOfItsLaunch) {
  ASSERT_EQ(launches_.size(), 21U);
  for (const test::Row& one : rows_) {
    EXPECT_EQ(one.both + one.neither + one.only_nsight + one.only_ours, 21) << one.rule;
    const auto unexplained = one.disagreements.find("");
    if (unexplained != one.disagreements.end()) {
      ADD_FAILURE() << one.rule << ": " << fmt::format("{}", fmt::join(unexplained->second, ", "));
    }
  }
}

TEST_F(NsightAgreement, NothingIsAdvisedThatTheyDoNotAdviseToo) {
  for (const test::Row& one : rows_) {
    EXPECT_TRUE(one.only_ours == 0 || one.rule == "SOLBottleneck: compute, not memory") << one.rule;
  }
}

// What decides the rest: how near the nearest roof is, which one it is, and what warps wait for.
TEST_F(NsightAgreement, TheBottleneckAndTheStallsAreTheSameOnEveryLaunch) {
  for (const char* rule :
       {"SOLBottleneck: latency or small grid", "SOLBottleneck: above 80 %", "SOLBottleneck: DRAM",
        "SOLBottleneck: L1", "IssueSlotUtilization", "CPIStall: any reason",
        "CPIStall: long scoreboard", "HighPipeUtilization: below 20 %"}) {
    EXPECT_GT(row(rule).both, 0) << rule;
    EXPECT_EQ(row(rule).only_nsight + row(rule).only_ours, 0) << rule;
  }
}

TEST_F(NsightAgreement, EstimatesOfTheSameFormulaAreTheSame) {
  for (const char* rule :
       {"LaunchConfiguration: small grid", "AchievedOccupancy", "CPIStall: MIO throttle"}) {
    EXPECT_LT(row(rule).widest_gap.value_or(1), 1e-3) << rule;
  }
}

TEST_F(NsightAgreement, ThePageSaysWhatHolds) {
  test_support::expect_golden("../../docs/nsight-agreement.md",
                              test::agreement_page(rows_, launches_.size()));
}

}  // namespace
}  // namespace ridgepoint
