#include "reports/gate_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "analyzer/gate/init_budget.h"
#include "analyzer/gate/judge.h"
#include "tests/support/golden.h"
#include "tests/support/recordings.h"
#include "tests/support/schema.h"

namespace ridgepoint {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A recording whose fused kernel got 12 % slower and lost a counter, against its own budget.
GateReport sample() {
  Session session = test_support::recording();
  test_support::slow_down(session, "fused", 1.12);
  test_support::scale_counter(session, "dram__bytes_write.sum", not_measured);
  const auto budget = budget_from(test_support::analysed(test_support::recording()));
  return {"run.ridge", "budget.json", "",
          judge_budget(*budget, test_support::analysed(session), nullptr)};
}

GateReport hostile() {
  GateReport report{"a\x1b[31m.ridge", "b\n::error::owned", "", {}};
  CheckResult check;
  check.id = "<script>";
  check.subject = "k%0A::set-output name=x::y\n::error::owned|<b>";
  check.quantity = *kernel_quantity("hbm_bytes");
  check.limit_kind = "max";
  check.status = CheckStatus::failed;
  report.result.results = {check};
  return report;
}

std::string rendered(const GateReport& report, const char* format) {
  return render_gate(report, format).value();
}

TEST(GateReport, LooksAsItDidWhenSomebodyLooked) {
  test_support::expect_golden("gate.txt", rendered(sample(), "text"));
  test_support::expect_golden("gate.md", rendered(sample(), "markdown"));
  test_support::expect_golden("gate.xml", rendered(sample(), "junit"));
  test_support::expect_golden("gate.github", rendered(sample(), "github"));
}

// `check --init` writes whole names, which come back where a later session has no such kernel.
TEST(GateReport, CallsAnAbsentKernelAsItCallsThePresentOnes) {
  const auto budget = budget_from(test_support::analysed(test_support::recording()));
  const Analysis other =
      test_support::analysed(test_support::recording(test_support::decode_recording));
  const GateReport report{"run.ridge", "budget.json", "", judge_budget(*budget, other, nullptr)};
  for (const char* format : {"text", "markdown", "github"}) {
    const std::string text = rendered(report, format);
    EXPECT_THAT(text, HasSubstr("ScoresTraits")) << format << ": the session has another one";
    EXPECT_THAT(text, Not(HasSubstr("ridgepoint::kernels"))) << format;
    EXPECT_THAT(text, Not(HasSubstr("void "))) << format;
  }
  const std::string whole = test_support::recording().kernels.front().name;
  const auto json = nlohmann::json::parse(rendered(report, "json"));
  EXPECT_TRUE(std::any_of(json["checks"].begin(), json["checks"].end(),
                          [&](const auto& check) { return check["subject"] == whole; }))
      << "scripts follow a check by the name that the budget has: " << whole;
}

TEST(GateReport, JsonFollowsItsSchema) {
  const auto json = nlohmann::json::parse(rendered(sample(), "json"));
  EXPECT_EQ(test_support::schema_violations(json, "ridgepoint-gate-1.0.schema.json"), "");
  EXPECT_EQ(json["verdict"], "failed");
  EXPECT_EQ(json["checks"].size(), sample().result.results.size());
}

TEST(GateReport, TellsChecksApartThatTheBudgetNamesAlike) {
  GateReport report = sample();
  report.result.results.push_back(report.result.results.front());
  const auto json = nlohmann::json::parse(rendered(report, "json"));
  std::set<std::string> ids;
  for (const auto& check : json["checks"]) {
    ids.insert(check["unique_id"].get<std::string>());
  }
  EXPECT_EQ(ids.size(), report.result.results.size());
  EXPECT_EQ(ids.count("variant/fused/latency_s.p50/max"), 1U);
  EXPECT_EQ(json["checks"][0]["id"], "latency_s.p50") << "as the budget has it";
  EXPECT_THAT(rendered(report, "junit"), HasSubstr("name=\"latency_s.p50 (max) #2\""));
}

TEST(GateReport, WritesANumberOneWayAndItsLimitInTheSameUnit) {
  GateReport report{"run.ridge", "budget.json", "", {}};
  CheckResult latency;
  latency.subject = "fused";
  latency.quantity = *variant_quantity("latency_s.p50");
  latency.limit_kind = "max";
  latency.status = CheckStatus::failed;
  latency.value = 1.0213e-3;
  latency.limit = 0.965e-3;
  latency.baseline = 0.919e-3;
  CheckResult error = latency;
  error.quantity = *variant_quantity("max_error");
  error.value = 9.81e-5;
  error.limit = 1.97e-4;
  error.baseline.reset();
  CheckResult correct = error;
  correct.limit_kind = "correct";
  correct.status = CheckStatus::passed;
  correct.limit.reset();
  report.result.results = {latency, error, correct};
  const std::string text = rendered(report, "text");
  EXPECT_THAT(text, HasSubstr("is 1.02 ms, must be at most 0.965 ms (baseline 0.919 ms)"));
  EXPECT_THAT(text, HasSubstr("is 0.0000981, must be at most 0.000197"));
  EXPECT_THAT(text, HasSubstr("its result is right, largest error 0.0000981"));
}

TEST(GateReport, PutsFailuresFirst) {
  const std::string text = rendered(sample(), "text");
  EXPECT_LT(text.find("  failed"), text.find("  no verdict"));
  EXPECT_LT(text.find("  no verdict"), text.find("  passed"));
}

TEST(GateReport, IsAnErrorInEveryFormatWhenNothingWasJudged) {
  const GateReport empty{"run.ridge", "budget.json", "", {}};
  EXPECT_THAT(rendered(empty, "text"), HasSubstr("No verdict"));
  EXPECT_THAT(rendered(empty, "markdown"), HasSubstr("No verdict"));
  EXPECT_THAT(rendered(empty, "junit"), HasSubstr("errors=\"1\""));
  EXPECT_THAT(rendered(empty, "github"), StartsWith("::error"));
  EXPECT_EQ(nlohmann::json::parse(rendered(empty, "json"))["verdict"], "no_verdict");
}

TEST(GateReport, LetsNoNameStartACommandOrMarkup) {
  const std::string github = rendered(hostile(), "github");
  EXPECT_EQ(std::count(github.begin(), github.end(), '\n'), 2);  // the check and the headline
  EXPECT_THAT(github, HasSubstr("%250A"));
  EXPECT_THAT(rendered(hostile(), "markdown"), Not(HasSubstr("<b>")));
  EXPECT_THAT(rendered(hostile(), "junit"), Not(HasSubstr("<script>")));
  for (const char* format : {"text", "markdown", "junit", "github"}) {
    EXPECT_THAT(rendered(hostile(), format), Not(HasSubstr("\x1b"))) << format;
  }
}

}  // namespace
}  // namespace ridgepoint
