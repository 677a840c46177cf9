#include "analyzer/analysis/latency.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace ridgepoint {

double quantile(const std::vector<double>& sorted, double p) {
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::pair<double, double> median_ci95(const std::vector<double>& sorted) {
  const auto n = static_cast<double>(sorted.size());
  std::size_t k = 0;  // order statistics counted from 1; 0 as long as none is far enough out
  double below = 0;   // P(Binomial(n, 1/2) < k)
  for (std::size_t next = 1; next <= sorted.size(); ++next) {
    const auto i = static_cast<double>(next - 1);
    // lgamma keeps n choose i finite for any n.
    below += std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1) -
                      n * std::log(2.0));
    if (below > 0.025) {
      break;
    }
    k = next;
  }
  return k == 0 ? std::pair(sorted.front(), sorted.back())
                : std::pair(sorted[k - 1], sorted[sorted.size() - k]);
}

std::pair<std::optional<double>, std::optional<double>> quantile_ci95(
    const std::vector<double>& sorted, double p) {
  constexpr double outside = 0.025;
  const auto n = static_cast<double>(sorted.size());
  std::pair<std::optional<double>, std::optional<double>> ends;
  double below = 0;  // P(Binomial(n, p) < k), k counted from 1
  for (std::size_t k = 1; k <= sorted.size(); ++k) {
    const auto i = static_cast<double>(k - 1);
    below += std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1) +
                      i * std::log(p) + (n - i) * std::log1p(-p));
    if (below <= outside) {
      ends.first = sorted[k - 1];
    }
    if (!ends.second && 1 - below <= outside) {
      ends.second = sorted[k - 1];
    }
  }
  return ends;
}

std::vector<double> usable_timings(std::vector<double> seconds) {
  const auto no_timing = [](double value) { return !std::isfinite(value) || value <= 0; };
  seconds.erase(std::remove_if(seconds.begin(), seconds.end(), no_timing), seconds.end());
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

std::optional<LatencyStats> latency_stats(std::vector<double> seconds) {
  seconds = usable_timings(std::move(seconds));
  if (seconds.empty()) {
    return std::nullopt;
  }
  LatencyStats stats;
  stats.count = static_cast<std::int64_t>(seconds.size());
  stats.mean =
      std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
  stats.minimum = seconds.front();
  stats.maximum = seconds.back();
  stats.p50 = quantile(seconds, 0.50);
  stats.p90 = quantile(seconds, 0.90);
  stats.p99 = quantile(seconds, 0.99);
  std::tie(stats.median_ci95_low, stats.median_ci95_high) = median_ci95(seconds);
  std::tie(stats.p90_ci95_low, stats.p90_ci95_high) = quantile_ci95(seconds, 0.90);
  std::tie(stats.p99_ci95_low, stats.p99_ci95_high) = quantile_ci95(seconds, 0.99);
  return stats;
}

}  // namespace ridgepoint
