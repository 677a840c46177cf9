#include "analyzer/gate/limit_test.h"

#include <fmt/format.h>

#include "analyzer/compare/significance.h"

namespace ridgepoint {
namespace {

bool known(const Repeats& repeats) {
  return repeats.times_s != nullptr && !repeats.times_s->empty();
}

// How rarely repeats would lie beyond the limit if the program kept it. `slow`: beyond means longer
// times. `time_bound_s`: the limit as a time; `time_factor`: the relative limit on times.
double p_of_median(const Repeats& now, const Repeats& base, bool slow, double time_factor) {
  std::vector<double> allowed = *base.times_s;
  for (double& time : allowed) {
    time *= time_factor;
  }
  const auto test = mann_whitney(allowed, *now.times_s);
  return slow ? test->p_greater : test->p_less;
}

double p_of_quantile(const Repeats& now, bool slow, double time_bound_s) {
  return slow ? p_quantile_above(*now.times_s, now.quantile, time_bound_s)
              : p_quantile_below(*now.times_s, now.quantile, time_bound_s);
}

}  // namespace

LimitVerdict test_limit(double value, const Repeats& repeats, const Limit& limit, double alpha) {
  const bool beyond = limit.upper ? value > limit.bound : value < limit.bound;
  if (!beyond) {
    return {CheckStatus::passed, ""};
  }
  if (!known(repeats)) {
    return {CheckStatus::failed, ""};
  }
  // A rate falls when its time rises.
  const bool slow = limit.upper != repeats.inverse;
  double p = 1;
  if (limit.relative && known(limit.baseline) && repeats.quantile == 0.5 && *limit.relative > 0) {
    const double factor = repeats.inverse ? 1 / *limit.relative : *limit.relative;
    p = p_of_median(repeats, limit.baseline, slow, factor);
  } else {
    double bound_s = limit.bound;
    if (repeats.inverse) {
      // value x time is what was done; at the limit it would take this long. A bound at or below 0
      // cannot be fallen short of, and one that is exceeded by every rate leaves no time at all.
      bound_s = limit.bound > 0 ? value * median_of_ascending(*repeats.times_s) / limit.bound : 0;
    }
    p = p_of_quantile(repeats, slow, bound_s);
  }
  if (p <= alpha) {
    return {CheckStatus::failed,
            p < 1e-4 ? std::string("p < 0.0001") : fmt::format("p = {:.2g}", p)};
  }
  return {
      CheckStatus::no_verdict,
      fmt::format("beyond the limit, but noise would do that in {:.2g} % of cases (p = {:.2g}): "
                  "measure more repeats",
                  p * 100, p)};
}

}  // namespace ridgepoint
