#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/core/text.h"
#include "reports/presenters/format.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

std::string seconds(double value) {
  return format_quantity(value, Unit::second);
}

// How far an end lies from the quantile itself, which three digits of a time would not show.
// Two significant digits, zeros at the end included: "+1.0 %" beside "-0.25 %".
std::string away(double end, double value) {
  const double percent = 100 * (end / value - 1);
  if (!std::isfinite(percent)) {
    return "n/a";
  }
  const std::string scientific = fmt::format("{:.1e}", percent);  // rounds 9.96 to 1.0e+01
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  return fmt::format("{:+.{}f} %", percent, std::clamp(1 - exponent, 0, 12));
}

// An end that too few repeats leave open is left open.
std::string interval(double value, const std::optional<double>& low,
                     const std::optional<double>& high) {
  if (low && high) {
    return away(*low, value) + " to " + away(*high, value);
  }
  if (low) {
    return away(*low, value) + ", too few repeats for an upper end";
  }
  return "too few repeats for an interval";
}

}  // namespace

std::vector<std::string> latency_notes(const Analysis& analysis) {
  std::vector<std::string> notes;
  for (const VariantAnalysis& variant : analysis.variants) {
    if (!variant.latency) {
      continue;
    }
    const LatencyStats& l = *variant.latency;
    notes.push_back(printable(variant.name) + ": of " +
                    format_quantity(static_cast<double>(l.count), Unit::count) + " repeats P50 " +
                    seconds(l.p50) + " (95 % confidence " +
                    interval(l.p50, l.median_ci95_low, l.median_ci95_high) + "), P90 " +
                    seconds(l.p90) + " (" + interval(l.p90, l.p90_ci95_low, l.p90_ci95_high) +
                    "), P99 " + seconds(l.p99) + " (" +
                    interval(l.p99, l.p99_ci95_low, l.p99_ci95_high) + ").");
  }
  return notes;
}

}  // namespace ridgepoint
