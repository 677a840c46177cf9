// Tests of significance that assume no distribution: timings have long tails and several modes.
//
// All assume that repeats are independent. Repeats of one run share its temperature and clock, so
// that a very small p says "these two runs differ", not "these two programs differ". Therefore
// nothing is judged by p alone: a least effect (CompareOptions::min_effect) or the limit of a
// budget has to be exceeded as well.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace ridgepoint {

// Mann and Whitney's U test (1947), equivalent to Wilcoxon's rank-sum test.
//   R = sum of the midranks of `second` among both samples,  U = R - n2 (n2 + 1) / 2
//   mean of U = n1 n2 / 2
//   variance  = n1 n2 / 12 * (n + 1 - sum over ties (t^3 - t) / (n (n - 1))),  n = n1 + n2
// Up to exact_limit values together, p comes from all C(n, n2) ways to split the values (exact with
// ties too); beyond it from the normal distribution with a continuity correction of 1/2.
struct RankTest {
  double p_two_sided = 1;
  double p_greater = 1;      // that `second` would lie this far above `first` by chance alone
  double p_less = 1;         // ... below
  double superiority = 0.5;  // P(second > first) + P(second = first) / 2, that is U / (n1 n2)
  double smallest_p = 1;     // the least two-sided p that samples of these sizes can give
};

inline constexpr std::size_t exact_limit = 50;

// Empty when a sample is empty. Exchanging the samples exchanges p_greater and p_less, keeps
// p_two_sided and turns superiority into 1 - superiority.
std::optional<RankTest> mann_whitney(const std::vector<double>& first,
                                     const std::vector<double>& second);

// Of at least one value.
double median_of_ascending(const std::vector<double>& values);

// P(X >= successes), X binomial with `trials` and `probability`.
double binomial_upper_tail(std::size_t trials, std::size_t successes, double probability);

// The sign test for a quantile q (0.5: the median) against a fixed limit. If the quantile were at
// or below the limit, a repeat would lie above it with probability at most 1 - q; p is the chance
// of at least as many above it as were seen.
double p_quantile_above(const std::vector<double>& values, double q, double limit);
double p_quantile_below(const std::vector<double>& values, double q, double limit);

}  // namespace ridgepoint
