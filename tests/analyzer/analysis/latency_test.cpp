#include "analyzer/analysis/latency.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

namespace ridgepoint {
namespace {

using ::testing::Pair;

TEST(Latency, QuantilesInterpolateBetweenOrderStatistics) {
  EXPECT_DOUBLE_EQ(quantile({1, 2, 3, 4}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile({10, 20, 30, 40, 50}, 0.9), 46);
  EXPECT_DOUBLE_EQ(quantile({7}, 0.99), 7);
}

TEST(Latency, TheMediansIntervalComesFromTheSignTest) {
  // Tables of the sign test: for n = 10 the 2nd and 9th values, for n = 20 the 6th and 15th.
  std::vector<double> ten;
  std::vector<double> twenty;
  for (int i = 1; i <= 20; ++i) {
    (i <= 10 ? ten : twenty).push_back(i);
  }
  twenty.insert(twenty.begin(), ten.begin(), ten.end());
  EXPECT_THAT(median_ci95(ten), Pair(2, 9));
  EXPECT_THAT(median_ci95(twenty), Pair(6, 15));
}

TEST(Latency, FiveValuesGiveTheirWholeRange) {
  EXPECT_THAT(median_ci95({1, 2, 3, 4, 5}), Pair(1, 5));
}

TEST(Latency, TheMedianIsTheQuantileOfOneHalf) {
  std::vector<double> ten = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const auto [low, high] = quantile_ci95(ten, 0.5);
  EXPECT_EQ(low, 2);
  EXPECT_EQ(high, 9);
}

TEST(Latency, EndsOfAnIntervalThatTooFewRepeatsLeaveOpenAreEmpty) {
  std::vector<double> hundred;
  for (int i = 1; i <= 400; ++i) {
    hundred.push_back(i);
    if (i == 100) {
      // 0.99^100 = 37 % that no repeat lies above P99: no upper end. Tables of the binomial give 84
      // and 96 for P90.
      const auto p99 = quantile_ci95(hundred, 0.99);
      EXPECT_EQ(p99.first, 97);
      EXPECT_FALSE(p99.second);
      EXPECT_EQ(quantile_ci95(hundred, 0.90),
                (std::pair<std::optional<double>, std::optional<double>>(84, 96)));
    } else if (i == 367 || i == 368) {  // 0.99^368 = 2.5 %
      EXPECT_EQ(quantile_ci95(hundred, 0.99).second.has_value(), i == 368);
    }
  }
  EXPECT_FALSE(quantile_ci95({1, 2, 3}, 0.99).second);
}

TEST(Latency, WhatIsNoTimingIsLeftOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto stats = latency_stats({2, nan, 1, -3, 0, 3});
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->count, 3);
  EXPECT_DOUBLE_EQ(stats->mean, 2);
  EXPECT_FALSE(latency_stats({}));
  EXPECT_FALSE(latency_stats({nan}));
}

RC_GTEST_PROP(Latency, StatisticsAreOrdered, ()) {
  const auto ticks =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 1000000)));
  const auto stats = latency_stats({ticks.begin(), ticks.end()});
  RC_ASSERT(stats->minimum <= stats->median_ci95_low && stats->median_ci95_low <= stats->p50);
  RC_ASSERT(stats->p50 <= stats->median_ci95_high && stats->median_ci95_high <= stats->maximum);
  RC_ASSERT(stats->p50 <= stats->p90 && stats->p90 <= stats->p99 && stats->p99 <= stats->maximum);
}

}  // namespace
}  // namespace ridgepoint
