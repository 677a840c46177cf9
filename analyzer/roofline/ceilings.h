// The roofs. A theoretical roof is work a clock x clock, and two clocks matter:
// - the chart's ceilings stand at the device's maximum SM clock, so that charts of one device agree
// with each other;
// - a kernel's utilisation is taken against the roof at the clocks measured in that kernel, so that
// a lowered clock is
//   not mistaken for a bad kernel. Where no clock was measured, the maximum stands in.
// Memory and L2 run on their own clocks: as measured, else the device's maximum (memory) or the SM
// clock (L2).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/chips/chip.h"
#include "analyzer/traffic/quantities.h"

namespace ridgepoint {

struct Clocks {
  std::optional<double> sm_hz;
  std::optional<double> memory_hz;
  std::optional<double> l2_hz;
};

Clocks measured_clocks(const Quantities& quantities);
// `measured`, with the SM clock replaced by the device's maximum.
Clocks chart_clocks(const DeviceInfo& device, const Clocks& measured);

struct Peak {
  double value = 0;  // byte/s or FLOP/s
  std::string source;
};

// `chip` may be null (no description of this chip); the counters' own peak a cycle, where it was
// measured, is then all there is. For HBM and L2 that peak is preferred to the data sheet's anyway:
// it is what utilisation counters use.
std::optional<Peak> bandwidth_peak(MemoryLevel level, const DeviceInfo& device,
                                   const ChipModel* chip, const Quantities& quantities,
                                   const Clocks& clocks);
std::optional<Peak> compute_peak(const std::string& unit, const DeviceInfo& device,
                                 const ChipModel* chip, const Quantities& quantities,
                                 const Clocks& clocks);

// The chart's ceilings: the three levels, then the chip's arithmetic units, each with the value a
// micro-benchmark measured on this device, if one did. `quantities` brings clocks and peaks seen
// anywhere in the session.
std::vector<Ceiling> ceilings_of(const DeviceInfo& device, const ChipModel* chip,
                                 const Quantities& quantities);

}  // namespace ridgepoint
