#include "analyzer/compare/significance.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {
namespace {

// Twice the midranks, so that ties stay whole numbers. `tie_sum` gets the sum of t^3 - t.
struct Ranked {
  std::vector<std::size_t> doubled;  // ascending by value, both samples together
  std::size_t second_sum = 0;        // of the second sample
  double tie_sum = 0;
};

Ranked rank(const std::vector<double>& first, const std::vector<double>& second) {
  struct One {
    double value;
    bool is_second;
  };
  std::vector<One> all;
  for (const double value : first) {
    all.push_back({value, false});
  }
  for (const double value : second) {
    all.push_back({value, true});
  }
  std::sort(all.begin(), all.end(), [](const One& a, const One& b) { return a.value < b.value; });
  Ranked ranked;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && !(all[begin].value < all[end].value)) {
      ++end;
    }
    const std::size_t doubled = begin + 1 + end;  // ranks begin+1 .. end: their mean, twice
    for (std::size_t i = begin; i < end; ++i) {
      ranked.doubled.push_back(doubled);
      ranked.second_sum += all[i].is_second ? doubled : 0;
    }
    const auto ties = static_cast<double>(end - begin);
    ranked.tie_sum += ties * ties * ties - ties;
    begin = end;
  }
  return ranked;
}

// Ways to choose `size` of the ranks, by their sum. At most C(50, 25) = 1.3e14: exact in a double.
std::vector<double> ways_by_sum(const std::vector<std::size_t>& ranks, std::size_t size) {
  std::size_t total = 0;
  for (const std::size_t one : ranks) {
    total += one;
  }
  std::vector<std::vector<double>> ways(size + 1, std::vector<double>(total + 1, 0.0));
  ways[0][0] = 1;
  std::size_t seen_sum = 0;
  for (const std::size_t one : ranks) {
    seen_sum += one;
    for (std::size_t chosen = size; chosen-- > 0;) {
      for (std::size_t sum = seen_sum; sum >= one; --sum) {
        ways[chosen + 1][sum] += ways[chosen][sum - one];
      }
    }
  }
  return ways[size];
}

void exact_p(const Ranked& ranked, std::size_t second_size, RankTest& test) {
  const std::vector<double> ways = ways_by_sum(ranked.doubled, second_size);
  // The mean of the doubled sum is n2 (n + 1), whole.
  const auto mean = static_cast<double>(second_size * (ranked.doubled.size() + 1));
  const auto seen = static_cast<double>(ranked.second_sum);
  double all = 0;
  double greater = 0;
  double less = 0;
  double as_far = 0;
  for (std::size_t sum = 0; sum < ways.size(); ++sum) {
    const auto here = static_cast<double>(sum);
    all += ways[sum];
    greater += here >= seen ? ways[sum] : 0;
    less += here <= seen ? ways[sum] : 0;
    as_far += std::abs(here - mean) >= std::abs(seen - mean) ? ways[sum] : 0;
  }
  test.p_greater = greater / all;
  test.p_less = less / all;
  test.p_two_sided = as_far / all;
}

double normal_upper_tail(double z) {
  return 0.5 * std::erfc(z / std::sqrt(2.0));
}

void normal_p(double u, double n1, double n2, double tie_sum, RankTest& test) {
  const double n = n1 + n2;
  const double variance = n1 * n2 / 12 * (n + 1 - tie_sum / (n * (n - 1)));
  if (!(variance > 0)) {
    return;  // all values are equal: nothing speaks against equality
  }
  const double distance = u - n1 * n2 / 2;
  const double sigma = std::sqrt(variance);
  test.p_greater = normal_upper_tail((distance - 0.5) / sigma);
  test.p_less = normal_upper_tail((-distance - 0.5) / sigma);
  test.p_two_sided = std::min(1.0, 2 * normal_upper_tail((std::abs(distance) - 0.5) / sigma));
}

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

}  // namespace

std::optional<RankTest> mann_whitney(const std::vector<double>& first,
                                     const std::vector<double>& second) {
  if (first.empty() || second.empty()) {
    return std::nullopt;
  }
  const auto n1 = static_cast<double>(first.size());
  const auto n2 = static_cast<double>(second.size());
  const Ranked ranked = rank(first, second);
  const double u = static_cast<double>(ranked.second_sum) / 2 - n2 * (n2 + 1) / 2;
  RankTest test;
  test.superiority = u / (n1 * n2);
  test.smallest_p = std::min(1.0, 2 * std::exp(-log_choose(n1 + n2, n2)));
  if (first.size() + second.size() <= exact_limit) {
    exact_p(ranked, second.size(), test);
  } else {
    normal_p(u, n1, n2, ranked.tie_sum, test);
  }
  return test;
}

double binomial_upper_tail(std::size_t trials, std::size_t successes, double probability) {
  if (successes == 0 || probability >= 1) {
    return successes <= trials ? 1 : 0;
  }
  if (successes > trials || probability <= 0) {
    return 0;
  }
  const auto n = static_cast<double>(trials);
  double sum = 0;
  for (std::size_t i = successes; i <= trials; ++i) {
    const auto k = static_cast<double>(i);
    sum +=
        std::exp(log_choose(n, k) + k * std::log(probability) + (n - k) * std::log1p(-probability));
  }
  return std::min(1.0, sum);
}

double median_of_ascending(const std::vector<double>& values) {
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

double p_quantile_above(const std::vector<double>& values, double q, double limit) {
  const auto above =
      std::count_if(values.begin(), values.end(), [&](double value) { return value > limit; });
  return binomial_upper_tail(values.size(), static_cast<std::size_t>(above), 1 - q);
}

double p_quantile_below(const std::vector<double>& values, double q, double limit) {
  const auto below =
      std::count_if(values.begin(), values.end(), [&](double value) { return value < limit; });
  return binomial_upper_tail(values.size(), static_cast<std::size_t>(below), q);
}

}  // namespace ridgepoint
