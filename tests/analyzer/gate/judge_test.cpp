#include "analyzer/gate/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <limits>

#include "analyzer/gate/glob.h"
#include "analyzer/gate/init_budget.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using test_support::analysed;
using test_support::recording;
using testing::HasSubstr;

BudgetCheck check_of(BudgetScope scope, const std::string& match, const std::string& quantity) {
  BudgetCheck check;
  check.scope = scope;
  check.match = match;
  check.quantity = quantity;
  return check;
}

Budget relative_budget(const std::string& quantity, double max_increase) {
  Budget budget;
  budget.checks = {check_of(BudgetScope::variant, "fused", quantity)};
  budget.checks[0].max_increase = max_increase;
  return budget;
}

const CheckResult& first_of(const GateResult& result) {
  return result.results.at(0);
}

TEST(Gate, FailsALatencyThatGrewByMoreThanTheBaselineAllows) {
  Session session = recording();
  test_support::slow_down(session, "fused", 1.12);
  const Analysis base = analysed(recording());
  const Analysis now = analysed(session);
  const GateResult tight = judge_budget(relative_budget("latency_s.p50", 0.05), now, &base);
  EXPECT_EQ(tight.verdict(), CheckStatus::failed);
  EXPECT_THAT(first_of(tight).why, HasSubstr("p < 0.0001"));
  EXPECT_NEAR(*first_of(tight).limit, *first_of(tight).baseline * 1.05, 1e-12);
  const GateResult wide = judge_budget(relative_budget("latency_s.p50", 0.2), now, &base);
  EXPECT_EQ(wide.verdict(), CheckStatus::passed);
}

TEST(Gate, FailsBytesThatGrew) {
  Session session = recording();
  test_support::scale_counter(session, "dram__bytes_read.sum", 1.5);
  const Analysis base = analysed(recording());
  const GateResult result =
      judge_budget(relative_budget("hbm_bytes.read", 0.1), analysed(session), &base);
  EXPECT_EQ(result.verdict(), CheckStatus::failed);
}

// Less by what the other one counted besides, and not because less was moved.
TEST(Gate, HasNoVerdictOnL2BytesThatOnlyOneCountedWithWhatMerged) {
  Session session = recording();
  test_support::scale_counter(session, "l1tex__m_xbar2l1tex_read_bytes.sum",
                              std::numeric_limits<double>::quiet_NaN());
  test_support::scale_counter(session, "l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum",
                              std::numeric_limits<double>::quiet_NaN());
  const Analysis base = analysed(recording());
  const Analysis now = analysed(session);
  const GateResult l2 = judge_budget(relative_budget("l2_bytes.measured", 0.1), now, &base);
  EXPECT_EQ(l2.verdict(), CheckStatus::no_verdict);
  EXPECT_THAT(first_of(l2).why, HasSubstr("what the SMs received"));
  for (const char* other : {"hbm_bytes.measured", "l2_bytes.write"}) {
    EXPECT_EQ(judge_budget(relative_budget(other, 0.1), now, &base).verdict(), CheckStatus::passed)
        << other;
  }
  Budget absolute;
  absolute.checks = {check_of(BudgetScope::variant, "fused", "l2_bytes.measured")};
  absolute.checks[0].max = 1e15;
  EXPECT_EQ(judge_budget(absolute, now, nullptr).verdict(), CheckStatus::passed) << "nothing said";
  absolute.checks[0].l2_merged = true;  // as --init writes of `base`
  EXPECT_EQ(judge_budget(absolute, base, nullptr).verdict(), CheckStatus::passed);
  EXPECT_EQ(judge_budget(absolute, now, nullptr).verdict(), CheckStatus::no_verdict);
  absolute.checks[0].l2_merged = false;
  EXPECT_EQ(judge_budget(absolute, base, nullptr).verdict(), CheckStatus::no_verdict);
}

TEST(Gate, FailsAWrongResultHoweverFastItIs) {
  Session session = recording();
  session.attention->variants[1].correctness->passed = false;
  const Analysis base = analysed(recording());
  const GateResult result =
      judge_budget(relative_budget("latency_s.p50", 0.5), analysed(session), &base);
  EXPECT_EQ(result.verdict(), CheckStatus::failed);
}

struct Spoiler {
  const char* name;
  void (*spoil)(Session&);
};

TEST(Gate, GivesNoVerdictOnWhatItCannotCompare) {
  const Spoiler spoilers[] = {
      {"other hardware", [](Session& s) { s.devices[0].name = "NVIDIA H100 PCIe"; }},
      {"fewer SMs", [](Session& s) { s.devices[0].sm_count = 114; }},
      {"another problem", [](Session& s) { s.attention->shape.seqlen_k *= 2; }},
      {"slower clock",
       [](Session& s) {
         test_support::scale_counter(s, "sm__cycles_elapsed.avg.per_second", 0.9);
       }},
      {"throttled",
       [](Session& s) {
         s.issues.push_back({"clocks.throttled", "it was hot"});
       }},
  };
  const Analysis base = analysed(recording());
  const auto absolute = budget_from(base);
  ASSERT_TRUE(absolute);
  for (const Spoiler& spoiler : spoilers) {
    Session session = recording();
    spoiler.spoil(session);
    const Analysis now = analysed(session);
    EXPECT_EQ(judge_budget(relative_budget("latency_s.p50", 0.05), now, &base).verdict(),
              CheckStatus::no_verdict)
        << spoiler.name;
    EXPECT_EQ(judge_budget(*absolute, now, nullptr).verdict(), CheckStatus::no_verdict)
        << spoiler.name;
  }
}

TEST(Gate, GivesNoVerdictOnCountersOfAnotherCacheState) {
  Session session = recording();
  session.policy.cache_control = "left as they were";
  const Analysis base = analysed(recording());
  const Analysis now = analysed(session);
  EXPECT_EQ(judge_budget(relative_budget("hbm_bytes.read", 0.1), now, &base).verdict(),
            CheckStatus::no_verdict);
  EXPECT_EQ(judge_budget(relative_budget("latency_s.p50", 0.1), now, &base).verdict(),
            CheckStatus::passed);
}

// What `ridgepoint profile` says of a mode is longer than its name, and tells ways of it apart.
TEST(Gate, TakesTheNameOfACacheStateForAnyWayOfIt) {
  Session session = recording();
  session.policy.cache_control = "flush: L2 is written back and invalidated";
  const Analysis now = analysed(session);
  Budget budget = *budget_from(now);
  const auto verdict_for = [&](const char* wanted) {
    budget.conditions.cache_control = wanted;
    return judge_budget(budget, now, nullptr).verdict();
  };
  EXPECT_EQ(verdict_for("flush"), CheckStatus::passed);
  EXPECT_EQ(verdict_for("flush: L2 is written back and invalidated"), CheckStatus::passed);
  EXPECT_EQ(verdict_for("flush: L2 is filled with clean lines of another buffer"),
            CheckStatus::no_verdict);
  for (const char* other : {"none", "flu", "", "flush: L2"}) {
    EXPECT_EQ(verdict_for(other), CheckStatus::no_verdict) << other;
  }
}

TEST(Gate, GivesNoVerdictOnCountersThatCannotBe) {
  Session session = recording();
  test_support::scale_counter(session, "dram__bytes_read.sum", 3);
  Budget budget = relative_budget("hbm_bytes.read", 0.1);
  budget.checks[0].match = "naive";
  const Analysis base = analysed(recording());
  const GateResult result = judge_budget(budget, analysed(session), &base);
  EXPECT_EQ(result.verdict(), CheckStatus::no_verdict);
  EXPECT_THAT(first_of(result).why, HasSubstr("% of the HBM peak"));
}

TEST(Gate, GivesNoVerdictOnWhatWasNotMeasured) {
  Session session = recording();
  session.counters = {};
  const Analysis base = analysed(recording());
  const GateResult result =
      judge_budget(relative_budget("hbm_bytes.measured", 0.1), analysed(session), &base);
  EXPECT_EQ(result.verdict(), CheckStatus::no_verdict);
  EXPECT_THAT(first_of(result).why, HasSubstr("not measured"));
}

TEST(Gate, GivesNoVerdictOnARelativeLimitWithoutBaseline) {
  const GateResult result =
      judge_budget(relative_budget("latency_s.p50", 0.05), analysed(recording()), nullptr);
  EXPECT_EQ(result.verdict(), CheckStatus::no_verdict);
  EXPECT_THAT(first_of(result).why, HasSubstr("--baseline"));
}

TEST(Gate, GivesNoVerdictWhenAVariantOfTheBaselineIsGone) {
  Session session = recording();
  session.attention->variants.pop_back();
  Budget budget = relative_budget("latency_s.p50", 0.05);
  budget.checks[0].match = "*";
  const Analysis base = analysed(recording());
  const GateResult result = judge_budget(budget, analysed(session), &base);
  EXPECT_EQ(result.verdict(), CheckStatus::no_verdict);
}

TEST(Gate, PrefersAFailureToAMissingVerdict) {
  Budget budget = relative_budget("latency_s.p50", 0.05);
  budget.checks.push_back(check_of(BudgetScope::variant, "fused", "latency_s.p50"));
  budget.checks[1].max = 1e-6;
  const GateResult result = judge_budget(budget, analysed(recording()), nullptr);
  EXPECT_EQ(result.count(CheckStatus::no_verdict), 1U);
  EXPECT_EQ(result.verdict(), CheckStatus::failed);
}

TEST(Gate, MatchesKernelsByPatternAndVariant) {
  Budget budget;
  budget.checks = {check_of(BudgetScope::kernel, "*", "hbm_bytes")};
  budget.checks[0].max = 1e15;
  const Analysis analysis = analysed(recording());
  const std::size_t correctness = analysis.variants.size();  // one more result each
  const auto checked = [&] {
    return judge_budget(budget, analysis, nullptr).results.size() - correctness;
  };
  EXPECT_EQ(checked(), analysis.kernels.size());
  budget.checks[0].variant = "naive";
  EXPECT_EQ(checked(), 3U);
  budget.checks[0].match = "*ScoresTraits<*";
  EXPECT_EQ(checked(), 1U);
}

TEST(Gate, IsNotGreenOnAnEmptyBudgetOrAnEmptySession) {
  EXPECT_EQ(judge_budget(Budget(), analysed(recording()), nullptr).verdict(),
            CheckStatus::no_verdict);
  const auto budget = budget_from(analysed(recording()));
  EXPECT_EQ(judge_budget(*budget, Analysis(), nullptr).verdict(), CheckStatus::no_verdict);
}

RC_GTEST_PROP(Gate, IsNeverGreenWhenACheckMatchesNothing, ()) {
  static const Analysis analysis = analysed(recording());
  static const Analysis base = analysed(recording(test_support::causal_recording));
  Budget budget;
  bool all_match = true;
  const auto count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) {
    const bool kernel = *rc::gen::arbitrary<bool>();
    BudgetCheck check = check_of(kernel ? BudgetScope::kernel : BudgetScope::variant,
                                 *rc::gen::element<std::string>("*", "fused", "naive*", "f?sed",
                                                                "*softmax*", "typo", "", "Fused"),
                                 kernel ? "hbm_bytes" : "latency_s.p50");
    check.max = *rc::gen::element(1e15, 1e18);
    bool matched = false;
    for (const KernelAnalysis& one : analysis.kernels) {
      matched = matched || (kernel && (glob_match(check.match, one.name) ||
                                       glob_match(check.match, one.short_name)));
    }
    for (const VariantAnalysis& one : analysis.variants) {
      matched = matched || (!kernel && glob_match(check.match, one.name));
    }
    all_match = all_match && matched;
    budget.checks.push_back(check);
  }
  const bool with_baseline = *rc::gen::arbitrary<bool>();
  const CheckStatus verdict =
      judge_budget(budget, analysis, with_baseline ? &base : nullptr).verdict();
  RC_ASSERT(verdict == (count > 0 && all_match ? CheckStatus::passed : CheckStatus::no_verdict));
}

}  // namespace
}  // namespace ridgepoint
