// Statistics of repeated timings.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// The p-th quantile (0..1) of ascending `sorted` values, interpolated linearly between the two
// order statistics around position p (n - 1): definition 7 of Hyndman and Fan (1996), the one NumPy
// and spreadsheets use.
double quantile(const std::vector<double>& sorted, double p);

// A distribution-free 95 % confidence interval of the median: the order statistics x(k) and
// x(n+1-k) with the largest k for which P(Binomial(n, 1/2) < k) <= 2.5 %. Below 6 values no pair of
// them reaches 95 %; the interval is then the whole range.
std::pair<double, double> median_ci95(const std::vector<double>& sorted);

// The same for any quantile: the largest x(k) with P(Binomial(n, p) < k) <= 2.5 % and the smallest
// x(m) with P(Binomial(n, p) >= m) <= 2.5 %. Empty where no order statistic lies far enough out: an
// upper end for P99 needs 368 values.
std::pair<std::optional<double>, std::optional<double>> quantile_ci95(
    const std::vector<double>& sorted, double p);

// Ascending, without the values that are no timings: those that are not finite and positive.
std::vector<double> usable_timings(std::vector<double> seconds);

// Of the usable timings; empty when there is none.
std::optional<LatencyStats> latency_stats(std::vector<double> seconds);

}  // namespace ridgepoint
