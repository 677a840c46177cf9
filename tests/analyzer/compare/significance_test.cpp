#include "analyzer/compare/significance.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>

namespace ridgepoint {
namespace {

// By listing every way to split the values: slow, and written without ranks.
struct Listed {
  double greater = 0;
  double less = 0;
};

double u_of(const std::vector<double>& first, const std::vector<double>& second) {
  double u = 0;
  for (const double a : first) {
    for (const double b : second) {
      u += b > a ? 1 : (b < a ? 0 : 0.5);
    }
  }
  return u;
}

Listed by_listing(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> all = first;
  all.insert(all.end(), second.begin(), second.end());
  const double seen = u_of(first, second);
  double splits = 0;
  Listed p;
  for (unsigned mask = 0; mask < (1U << all.size()); ++mask) {
    std::vector<double> a;
    std::vector<double> b;
    for (std::size_t i = 0; i < all.size(); ++i) {
      ((mask >> i & 1U) != 0 ? b : a).push_back(all[i]);
    }
    if (b.size() == second.size()) {
      splits += 1;
      p.greater += u_of(a, b) >= seen ? 1 : 0;
      p.less += u_of(a, b) <= seen ? 1 : 0;
    }
  }
  return {p.greater / splits, p.less / splits};
}

TEST(MannWhitney, OfThreeAgainstThreeWithoutOverlapIsATenth) {
  const auto test = mann_whitney({1, 2, 3}, {4, 5, 6});
  ASSERT_TRUE(test);
  EXPECT_DOUBLE_EQ(test->p_two_sided, 0.1);
  EXPECT_DOUBLE_EQ(test->p_greater, 0.05);
  EXPECT_DOUBLE_EQ(test->p_less, 1);
  EXPECT_DOUBLE_EQ(test->superiority, 1);
  EXPECT_NEAR(test->smallest_p, 0.1, 1e-12);
}

TEST(MannWhitney, NeedsBothSamples) {
  EXPECT_FALSE(mann_whitney({}, {1}));
  EXPECT_FALSE(mann_whitney({1}, {}));
}

TEST(MannWhitney, SaysNothingAboutValuesThatAreAllEqual) {
  EXPECT_DOUBLE_EQ(mann_whitney({2, 2, 2}, {2, 2, 2})->p_two_sided, 1);
  EXPECT_DOUBLE_EQ(
      mann_whitney(std::vector<double>(100, 2), std::vector<double>(100, 2))->p_two_sided, 1);
}

RC_GTEST_PROP(MannWhitney, OfFewValuesIsWhatListingAllSplitsGives, ()) {
  // Whole numbers from a small range: ties are the usual case, as with a timer's ticks.
  const auto value = rc::gen::map(rc::gen::inRange(0, 6), [](int v) { return double(v); });
  const auto first = *rc::gen::container<std::vector<double>>(*rc::gen::inRange(1, 6), value);
  const auto second = *rc::gen::container<std::vector<double>>(*rc::gen::inRange(1, 6), value);
  const auto test = mann_whitney(first, second);
  const Listed listed = by_listing(first, second);
  RC_ASSERT(std::abs(test->p_greater - listed.greater) < 1e-12);
  RC_ASSERT(std::abs(test->p_less - listed.less) < 1e-12);
}

RC_GTEST_PROP(MannWhitney, ExchangesItsSidesWhenTheSamplesAre, ()) {
  const auto value = rc::gen::map(rc::gen::inRange(1, 40), [](int v) { return double(v); });
  const auto first = *rc::gen::container<std::vector<double>>(*rc::gen::inRange(1, 60), value);
  const auto second = *rc::gen::container<std::vector<double>>(*rc::gen::inRange(1, 60), value);
  const auto there = mann_whitney(first, second);
  const auto back = mann_whitney(second, first);
  RC_ASSERT(std::abs(there->p_two_sided - back->p_two_sided) < 1e-9);
  RC_ASSERT(std::abs(there->p_greater - back->p_less) < 1e-9);
  RC_ASSERT(std::abs(there->superiority + back->superiority - 1) < 1e-12);
}

TEST(MannWhitney, RejectsEqualDistributionsAsOftenAsItSays) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> latency(0, 0.2);
  for (const std::size_t size : {std::size_t{12}, std::size_t{80}}) {  // exact, and approximated
    int rejected = 0;
    constexpr int trials = 2000;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<double> first(size);
      std::vector<double> second(size);
      for (std::size_t i = 0; i < size; ++i) {
        first[i] = latency(random);
        second[i] = latency(random);
      }
      rejected += mann_whitney(first, second)->p_two_sided <= 0.05 ? 1 : 0;
    }
    EXPECT_GT(rejected, trials * 0.03) << size;
    EXPECT_LT(rejected, trials * 0.065) << size;
  }
}

TEST(MannWhitney, AgreesWithItsApproximationWhereOneTakesOver) {
  // 25 against 25 is exact, 25 against 26 is not; one value in the middle changes little.
  std::vector<double> first;
  std::vector<double> second;
  for (int i = 0; i < 25; ++i) {
    first.push_back(i * 1.0);
    second.push_back(i * 1.0 + 5.5);
  }
  const double exact = mann_whitney(first, second)->p_two_sided;
  second.push_back(17.6);
  const double approximate = mann_whitney(first, second)->p_two_sided;
  EXPECT_NEAR(exact, approximate, 0.2 * exact);
}

TEST(SignTest, OfTheMedianIsABinomialTail) {
  EXPECT_DOUBLE_EQ(binomial_upper_tail(10, 0, 0.5), 1);
  EXPECT_NEAR(binomial_upper_tail(10, 10, 0.5), std::pow(0.5, 10), 1e-15);
  EXPECT_NEAR(binomial_upper_tail(10, 8, 0.5), 56.0 / 1024, 1e-12);
  EXPECT_NEAR(p_quantile_above({1, 2, 3, 4, 5, 6, 7, 8}, 0.5, 0), std::pow(0.5, 8), 1e-12);
  EXPECT_NEAR(p_quantile_below({1, 2, 3, 4, 5, 6, 7, 8}, 0.5, 9), std::pow(0.5, 8), 1e-12);
}

TEST(SignTest, OfP99AllowsOneInAHundred) {
  std::vector<double> repeats(200, 1.0);
  repeats[0] = repeats[1] = 9;
  EXPECT_GT(p_quantile_above(repeats, 0.99, 2), 0.5);
  for (std::size_t i = 0; i < 10; ++i) {
    repeats[i] = 9;
  }
  EXPECT_LT(p_quantile_above(repeats, 0.99, 2), 0.001);
}

}  // namespace
}  // namespace ridgepoint
