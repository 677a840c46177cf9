#include "analyzer/rules/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analyzer/roofline/measured_ceilings.h"
#include "analyzer/roofline/placement.h"

namespace ridgepoint {

std::vector<Diagnosis> for_each_kernel(const RuleContext& context, KernelRule rule) {
  std::vector<Diagnosis> found;
  for (std::size_t i = 0; i < context.analysis.kernels.size(); ++i) {
    const KernelAnalysis& kernel = context.analysis.kernels[i];
    if (auto diagnosis = rule(context, kernel, i)) {
      diagnosis->kernel = i;
      diagnosis->variant = kernel.variant;
      found.push_back(std::move(*diagnosis));
    }
  }
  return found;
}

Severity severity_of_gain(double gain) {
  if (gain >= 0.5) {
    return Severity::critical;
  }
  return gain >= 0.15 ? Severity::warning : Severity::notice;
}

double bounded_gain(double gain, double room) {
  return std::max(0.0, std::min(gain, room));
}

GainBelowRoof gain_below_roof(const RuleContext& context, const std::string& ceiling, double used,
                              const std::string& name) {
  double reached = 0;  // of the peak, clocks alike
  for (const CeilingMeasurement& one : ceiling_measurements(context.analysis)) {
    if (one.ceiling->id == ceiling) {
      reached = std::max(reached, one.share_of_theory().value_or(0));
    }
  }
  const bool measured = reached > 0 && reached < 1;
  const std::string left =
      "what is left below the roof at these bytes; each byte less gains in proportion";
  return {bounded_gain(1 - used / (measured ? reached : 1), 1),
          measured ? fmt::format("1 - {} / {} of the peak that the ceiling measured on this device "
                                 "reaches: {}",
                                 name, percent(reached), left)
                   : fmt::format("1 - {}: {}", name, left)};
}

std::optional<double> room_below_roofs(const KernelAnalysis& kernel) {
  // A roof nobody measured may be the nearest, and HBM mostly is.
  const auto highest = highest_utilisation(kernel);
  return highest && kernel.utilisation[MemoryLevel::hbm]
             ? std::optional<double>(std::max(0.0, 1 - *highest))
             : std::nullopt;
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", share * 100);
}

namespace {

// Three significant digits, zeros at the end included, as the tables have them: "3.70".
std::string three_digits(double value) {
  const double magnitude = std::abs(value);
  const int decimals = magnitude == 0 || magnitude >= 99.95 ? 0 : (magnitude >= 9.995 ? 1 : 2);
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

std::string time_text(double seconds) {
  constexpr std::array<const char*, 4> units = {"s", "ms", "µs", "ns"};
  std::size_t step = 0;
  for (; std::abs(seconds) < 0.9995 && step + 1 < units.size(); ++step) {
    seconds *= 1000;
  }
  return three_digits(seconds) + " " + units[step];
}

std::string with_prefix(double value, const char* unit) {
  constexpr std::array<const char*, 6> prefixes = {"", "k", "M", "G", "T", "P"};
  std::size_t step = 0;
  for (; std::abs(value) >= 999.5 && step + 1 < prefixes.size(); ++step) {
    value /= 1000;
  }
  return three_digits(value) + " " + prefixes[step] + unit;
}

}  // namespace ridgepoint
