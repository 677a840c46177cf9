// What micro-benchmarks reached on a device (`ridgepoint ceilings`), beside what theory allowed at
// the clock they ran at. A ceiling may be measured in several ways: MeasuredCeiling::name is then
// the ceiling's key, a dot and the way ("hbm.read", "hbm.copy", "tensor_fp16.wgmma"), and the
// fastest is the measured roof.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

std::string ceiling_key(const MeasuredCeiling& measured);     // "hbm" of "hbm.read"
std::string ceiling_method(const MeasuredCeiling& measured);  // "read"; empty without a dot

struct CeilingMeasurement {
  const Ceiling* ceiling = nullptr;           // of the analysis
  const MeasuredCeiling* measured = nullptr;  // of its first device
  // The ceiling's theoretical value, scaled from the highest SM clock, at which it is given, to the
  // measured one; memory has a clock of its own.
  std::optional<double> theoretical;

  std::optional<double> sm_clock_hz() const;
  // Measured / theoretical: the one meaning of "measured over theory" in every report.
  std::optional<double> share_of_theory() const;
};
// In the order of the ceilings, the fastest of each first. Points into `analysis`.
std::vector<CeilingMeasurement> ceiling_measurements(const Analysis& analysis);

// No micro-benchmark can beat theory by more than clocks and times are uncertain. One issue for
// each that does.
inline constexpr double ceiling_tolerance = 0.02;
std::vector<Issue> implausible_ceilings(const Analysis& analysis);

}  // namespace ridgepoint
