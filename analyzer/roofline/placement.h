// Where a kernel stands under its roofs: intensity, bandwidth and utilisation at each level, and
// which roof is nearest.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/roofline/ceilings.h"

namespace ridgepoint {

// Below this share of every roof a kernel is limited by latency, not by throughput: the threshold
// of Nsight Compute's speed-of-light rule (both compute and memory throughput under 60 %).
inline constexpr double latency_bound_below = 0.60;

// The roofline itself (Williams, Waterman, Patterson 2009): FLOP/s that `intensity` FLOP/byte
// allow.
double attainable_flop_per_s(double peak_flop_per_s, double peak_byte_per_s, double intensity);

// The busiest instruction pipe, or the issue slots: what a kernel can be bound by although it does
// few FLOP. Nsight Compute's compute throughput takes the highest of these as well.
struct BusyPipe {
  std::string name;  // "tensor pipe"
  double share = 0;
};
std::optional<BusyPipe> busiest_pipe(const KernelAnalysis& kernel);

// Fills bandwidth, intensity, utilisation, compute_utilisation, the FLOP's precision, bound_by and
// headroom of a kernel whose traffic, flop and time_s are set. The precision is that of the unit
// nearest to its own ceiling, so that a softmax beside a matrix product does not hide behind the
// larger number.
void place_on_roofline(KernelAnalysis& kernel,
                       const std::vector<std::pair<std::string, double>>& flop_by_unit,
                       const DeviceInfo& device, const ChipModel* chip,
                       const Quantities& quantities);

// The roof with the highest utilisation, a busy pipe counting as compute; `latency` when HBM and
// compute are known and nothing reaches 60 %; `unknown` when too little was measured to tell.
BoundBy nearest_roof(const KernelAnalysis& kernel);

// The highest of the utilisations that are known, roofs and pipes alike.
std::optional<double> highest_utilisation(const KernelAnalysis& kernel);

}  // namespace ridgepoint
