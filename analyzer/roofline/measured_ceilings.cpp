#include "analyzer/roofline/measured_ceilings.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint {
namespace {

std::optional<double> theory_at(const Ceiling& ceiling, const DeviceInfo& device,
                                double sm_clock_hz) {
  if (!ceiling.theoretical || ceiling.id == key(MemoryLevel::hbm)) {
    return ceiling.theoretical;
  }
  if (device.sm_clock_max_hz <= 0 || sm_clock_hz <= 0) {
    return std::nullopt;
  }
  return *ceiling.theoretical * sm_clock_hz / device.sm_clock_max_hz;
}

}  // namespace

std::string ceiling_key(const MeasuredCeiling& measured) {
  return measured.name.substr(0, measured.name.find('.'));
}

std::string ceiling_method(const MeasuredCeiling& measured) {
  const std::size_t dot = measured.name.find('.');
  return dot == std::string::npos ? "" : measured.name.substr(dot + 1);
}

std::optional<double> CeilingMeasurement::sm_clock_hz() const {
  return measured != nullptr && measured->sm_clock_hz > 0
             ? std::optional<double>(measured->sm_clock_hz)
             : std::nullopt;
}

std::optional<double> CeilingMeasurement::share_of_theory() const {
  return measured != nullptr && theoretical && *theoretical > 0
             ? std::optional<double>(measured->value / *theoretical)
             : std::nullopt;
}

std::vector<CeilingMeasurement> ceiling_measurements(const Analysis& analysis) {
  std::vector<CeilingMeasurement> all;
  if (analysis.devices.empty()) {
    return all;
  }
  const DeviceInfo& device = analysis.devices.front();
  for (const Ceiling& ceiling : analysis.ceilings) {
    const auto first = static_cast<std::ptrdiff_t>(all.size());
    for (const MeasuredCeiling& one : device.measured_ceilings) {
      if (ceiling_key(one) == ceiling.id && one.value > 0) {
        all.push_back({&ceiling, &one, theory_at(ceiling, device, one.sm_clock_hz)});
      }
    }
    std::stable_sort(all.begin() + first, all.end(),
                     [](const CeilingMeasurement& a, const CeilingMeasurement& b) {
                       return a.measured->value > b.measured->value;
                     });
  }
  return all;
}

std::vector<Issue> implausible_ceilings(const Analysis& analysis) {
  std::vector<Issue> issues;
  for (const CeilingMeasurement& one : ceiling_measurements(analysis)) {
    if (one.theoretical && one.measured->value > *one.theoretical * (1 + ceiling_tolerance)) {
      issues.push_back(
          {"ceilings.above_theory",
           fmt::format("{} was measured at {:.1f} % of what theory allows at its clock of {:.0f} "
                       "MHz: the measurement or the description of the chip is wrong",
                       one.measured->name, 100 * one.measured->value / *one.theoretical,
                       one.measured->sm_clock_hz * 1e-6)});
    }
  }
  return issues;
}

}  // namespace ridgepoint
