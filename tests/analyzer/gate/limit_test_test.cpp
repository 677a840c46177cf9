#include "analyzer/gate/limit_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

const std::vector<double> around_ten = {9.7, 9.8, 9.9, 9.95, 10, 10.05, 10.1, 10.2, 10.3, 10.4};

Limit at_most(double bound) {
  return {true, bound, std::nullopt, {}};
}
Limit at_least(double bound) {
  return {false, bound, std::nullopt, {}};
}
CheckStatus median_of_ten(const Limit& limit) {
  return test_limit(10.025, {&around_ten, 0.5, false}, limit, 0.01).status;
}

TEST(TestLimit, PassesWithinTheLimitAndAtIt) {
  EXPECT_EQ(median_of_ten(at_most(10.025)), CheckStatus::passed);
  EXPECT_EQ(median_of_ten(at_most(11)), CheckStatus::passed);
  EXPECT_EQ(median_of_ten(at_least(10)), CheckStatus::passed);
}

TEST(TestLimit, FailsOnlyWhenNoiseCannotExplainIt) {
  EXPECT_EQ(median_of_ten(at_most(9)), CheckStatus::failed);
  EXPECT_EQ(median_of_ten(at_most(9.97)), CheckStatus::no_verdict);
  EXPECT_EQ(median_of_ten(at_least(11)), CheckStatus::failed);
}

TEST(TestLimit, TakesAValueWithoutRepeatsAsItIs) {
  EXPECT_EQ(test_limit(2, {}, at_most(1.9), 0.01).status, CheckStatus::failed);
  EXPECT_EQ(test_limit(2, {}, at_most(2.1), 0.01).status, CheckStatus::passed);
}

TEST(TestLimit, TurnsRatesIntoTimes) {
  // 100 tokens in 10.025 s; at least 11 token/s would need 9.1 s, faster than any repeat.
  const Repeats rate{&around_ten, 0.5, true};
  const double tokens_per_s = 100 / 10.025;
  EXPECT_EQ(test_limit(tokens_per_s, rate, at_least(11), 0.01).status, CheckStatus::failed);
  EXPECT_EQ(test_limit(tokens_per_s, rate, at_least(10), 0.01).status, CheckStatus::no_verdict);
  EXPECT_EQ(test_limit(tokens_per_s, rate, at_least(9), 0.01).status, CheckStatus::passed);
}

TEST(TestLimit, LetsTheBaselinesNoiseCountToo) {
  std::vector<double> noisy_base = {8, 9, 9.2, 9.4, 9.6, 10.4, 10.9, 11.3, 11.9, 12};
  std::vector<double> quiet_base(10, 9.5);
  const auto limit = [](const std::vector<double>& base) {
    return Limit{true, 9.5 * 1.02, 1.02, {&base, 0.5, false}};
  };
  const Repeats now{&around_ten, 0.5, false};
  EXPECT_EQ(test_limit(10.025, now, limit(quiet_base), 0.01).status, CheckStatus::failed);
  EXPECT_EQ(test_limit(10.025, now, limit(noisy_base), 0.01).status, CheckStatus::no_verdict);
}

TEST(TestLimit, CannotFailOnASingleRepeat) {
  const std::vector<double> one = {10};
  const LimitVerdict verdict = test_limit(10, {&one, 0.5, false}, at_most(1), 0.01);
  EXPECT_EQ(verdict.status, CheckStatus::no_verdict);
  EXPECT_THAT(verdict.why, testing::HasSubstr("more repeats"));
}

}  // namespace
}  // namespace ridgepoint
