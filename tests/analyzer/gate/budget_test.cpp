#include "analyzer/gate/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "analyzer/gate/init_budget.h"
#include "tests/support/limited_memory.h"
#include "tests/support/recordings.h"
#include "tests/support/schema.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json sample() {
  return json::parse(R"({
    "schema": "ridgepoint-budget", "version": "1.0",
    "conditions": {"chip": "GH100", "sm_count": 132, "clock_tolerance": 0.03},
    "alpha": 0.001,
    "checks": [
      {"id": "latency", "scope": "variant", "match": "fused", "quantity": "latency_s.p50", "max": 0.002},
      {"scope": "kernel", "match": "*attention*", "variant": "fused", "quantity": "stalls.long_scoreboard",
       "min": 0, "max_increase": 0.1, "max_decrease": 1}]})");
}

bool follows_schema(const json& document) {
  return test_support::schema_violations(document, "ridgepoint-budget-1.0.schema.json").empty();
}

std::string refusal(const json& document) {
  const auto budget = parse_budget(document.dump(), "b.json");
  if (budget) {
    return "";
  }
  EXPECT_EQ(budget.error().domain, ErrorDomain::input);
  return budget.error().why;
}

TEST(Budget, ReadsConditionsAndLimits) {
  const auto budget = parse_budget(sample().dump(), "b.json");
  ASSERT_TRUE(budget) << format_error(budget.error());
  EXPECT_EQ(budget->conditions.chip, "GH100");
  EXPECT_EQ(budget->conditions.sm_count, 132);
  EXPECT_DOUBLE_EQ(budget->conditions.clock_tolerance, 0.03);
  EXPECT_DOUBLE_EQ(budget->alpha, 0.001);
  ASSERT_EQ(budget->checks.size(), 2U);
  EXPECT_EQ(budget->checks[0].id, "latency");
  EXPECT_EQ(budget->checks[0].max, 0.002);
  EXPECT_EQ(budget->checks[1].scope, BudgetScope::kernel);
  EXPECT_EQ(budget->checks[1].variant, "fused");
  EXPECT_EQ(budget->checks[1].max_increase, 0.1);
}

TEST(Budget, FollowsItsSchema) {
  EXPECT_TRUE(follows_schema(sample()));
  const auto written = budget_from(test_support::analysed(test_support::recording()));
  ASSERT_TRUE(written);
  EXPECT_TRUE(follows_schema(json::parse(budget_to_json(*written))));
}

TEST(Budget, SaysWhereItIsWrong) {
  struct Wrong {
    const char* patch;
    const char* words;
  };
  for (const Wrong& wrong : {
           Wrong{R"({"schema": "something"})",
                 "schema is \"something\", not \"ridgepoint-budget\""},
           Wrong{R"({"version": "2.0"})", "version is \"2.0\""},
           Wrong{R"({"alpha": 0.7})", "alpha must be a number"},
           Wrong{R"({"checks": {}})", "checks is missing or not a list"},
           Wrong{R"({"cheks": []})", "cheks is not a field"},
           Wrong{R"({"conditions": {"chipp": "x"}})", "conditions.chipp is not a field"},
           Wrong{R"({"conditions": {"sm_count": 1.5}})", "conditions.sm_count"},
           Wrong{R"({"conditions": {"workload": {"batch": 1}}})", "conditions.workload.heads"},
           Wrong{R"({"checks": [{"quantity": "time_s", "max": 1}]})", "checks[0].scope"},
           Wrong{R"({"checks": [{"scope": "variant", "quantity": "tiem_s", "max": 1}]})", "tiem_s"},
           Wrong{R"({"checks": [{"scope": "variant", "quantity": "time_s"}]})", "has no limit"},
           Wrong{R"({"checks": [{"scope": "variant", "quantity": "time_s", "max": "1"}]})",
                 "checks[0].max must be a number"},
           Wrong{R"({"checks": [{"scope": "variant", "quantity": "time_s", "max_increse": 1}]})",
                 "max_increse is not a field"},
           Wrong{R"({"checks": [{"scope": "variant", "quantity": "time_s", "max_increase": -1}]})",
                 "max_increase"},
           Wrong{R"({"checks": [3]})", "checks[0] is not an object"},
       }) {
    json document = sample();
    document.merge_patch(json::parse(wrong.patch));
    EXPECT_THAT(refusal(document), HasSubstr(wrong.words)) << wrong.patch;
    // The schema leaves the names of quantities to the program.
    const bool beyond_schema = std::string(wrong.words) == "tiem_s";
    EXPECT_EQ(follows_schema(document), beyond_schema) << wrong.patch;
  }
}

std::string hint_for(const char* scope, const char* quantity) {
  json document = sample();
  document["checks"] = {{{"scope", scope}, {"quantity", quantity}, {"max", 1}}};
  const auto budget = parse_budget(document.dump(), "b.json");
  return budget ? "" : budget.error().hint;
}

TEST(Budget, NamesWhatAMisspeltQuantityOrFieldMostLikelyMeant) {
  EXPECT_THAT(hint_for("variant", "latency_s.p05"), HasSubstr("did you mean latency_s.p50? "));
  EXPECT_THAT(hint_for("variant", "latency"), HasSubstr("did you mean latency_s.p50? "));
  EXPECT_THAT(hint_for("kernel", "hmb_bytes"), HasSubstr("did you mean hbm_bytes? "));
  EXPECT_THAT(hint_for("kernel", "latency_s.p99"), HasSubstr("a variant has it; "));
  EXPECT_THAT(hint_for("variant", "occupancy.waves"), HasSubstr("a kernel has it; "));
  EXPECT_THAT(hint_for("kernel", "bogomips"), testing::StartsWith("docs/ci.md"));
  json document = sample();
  document["checks"][0]["max_increse"] = 1;
  EXPECT_THAT(parse_budget(document.dump(), "b.json").error().hint,
              HasSubstr("did you mean max_increase? "));
}

// Passed over, they would leave a limit that says less than its writer thinks.
TEST(Budget, RefusesAConditionOfALimitThatDoesNotDependOnIt) {
  const auto with = [](const char* quantity, const char* field, const json& value) {
    json document = sample();
    document["checks"] = {
        {{"scope", "variant"}, {"quantity", quantity}, {"max", 1}, {field, value}}};
    return refusal(document);
  };
  EXPECT_EQ(with("l2_bytes.measured", "l2_merged", true), "");
  EXPECT_EQ(with("traffic_split.l2.again", "l2_merged", false), "");
  EXPECT_EQ(with("hbm_bytes.measured", "l2_merged", true),
            "checks[0].l2_merged has no meaning for \"hbm_bytes.measured\": it says how L2 bytes "
            "are counted");
  EXPECT_THAT(with("l2_bytes.write", "l2_merged", true), HasSubstr("has no meaning"));
  EXPECT_EQ(with("latency_s.p50", "sm_clock_hz", 1.5e9), "");
  EXPECT_THAT(with("flops.counted", "sm_clock_hz", 1.5e9), HasSubstr("no clock changes it"));
}

TEST(Budget, SaysThatASessionIsNoBudget) {
  const auto packed = read_budget(test_support::recording_path(test_support::wide_recording));
  ASSERT_FALSE(packed);
  EXPECT_THAT(packed.error().why, HasSubstr("it is not JSON"));
  EXPECT_THAT(refusal({{"schema", "ridgepoint-session"}, {"attention", json::object()}}),
              HasSubstr("schema is \"ridgepoint-session\""));
}

TEST(Budget, RefusesHostileTextsInBoundedTime) {
  EXPECT_THAT(parse_budget("", "b").error().why, HasSubstr("not JSON"));
  EXPECT_THAT(parse_budget("{\"schema\": ", "b").error().why, HasSubstr("not JSON"));
  EXPECT_THAT(parse_budget(std::string(2'000'000, '['), "b").error().why, HasSubstr("nested"));
  json many = sample();
  many["checks"] = std::vector<json>(budget_check_limit + 1, sample()["checks"][0]);
  EXPECT_THAT(refusal(many), HasSubstr("more than"));
  json longest = sample();
  longest["checks"][0]["match"] = std::string(budget_text_limit + 1, '*');
  EXPECT_THAT(refusal(longest), HasSubstr("checks[0].match"));
}

TEST(Budget, ReadsBackAProblemOfAnyType) {
  Budget budget;
  budget.conditions.workload = AttentionShape();
  budget.conditions.workload->heads = 8;
  budget.checks = {{}};
  budget.checks[0].quantity = "time_s";
  budget.checks[0].max = 1;
  const std::string text = budget_to_json(budget);
  const auto again = parse_budget(text, "again.json");
  ASSERT_TRUE(again) << format_error(again.error());
  EXPECT_EQ(again->conditions.workload->dtype, "");
  EXPECT_EQ(budget_to_json(*again), text);
}

TEST(Budget, ReadsBackWhatItWrites) {
  const auto budget = budget_from(test_support::analysed(test_support::recording()));
  ASSERT_TRUE(budget);
  const std::string text = budget_to_json(*budget);
  const auto again = parse_budget(text, "b.json");
  ASSERT_TRUE(again) << format_error(again.error());
  EXPECT_EQ(budget_to_json(*again), text);
}

TEST(Budget, AFileOfTwoGigabytesIsNotRead) {
  const test::TempDir folder;
  const auto path = folder / "budget.json";
  std::ofstream(path) << "{";
  std::filesystem::resize_file(path, std::uint64_t{2} << 30U);  // sparse: no disk space is taken
  const auto budget = read_budget(path);
  ASSERT_FALSE(budget);
  EXPECT_THAT(budget.error().why, HasSubstr("more than the limit of 4194304"));
}

TEST(Budget, TheLargestFileOfAnythingStaysWithinMemory) {
  if (!test::memory_can_be_limited) {
    GTEST_SKIP() << "AddressSanitizer needs terabytes of address space";
  }
  for (const char* piece : {"[],", "{},", "0,", "\"\",", "["}) {
    std::string text = R"({"schema":"ridgepoint-budget","version":"1.0","checks":[)";
    while (text.size() < budget_size_limit_bytes) {
      text += piece;
    }
    EXPECT_EQ(test::in_limited_memory(std::uint64_t{1} << 30U,
                                      [&] {
                                        const auto budget = parse_budget(text, "b.json");
                                        return budget ? "it opened" : budget.error().what;
                                      }),
              "b.json")
        << piece;
  }
}

}  // namespace
}  // namespace ridgepoint
