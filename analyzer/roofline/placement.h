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

// To start and to end takes any kernel some microseconds, which no roof is about: of one that is
// not longer, "54.8x headroom" says nothing.
inline constexpr double shortest_with_headroom_s = 5e-6;

// The roofline itself (Williams, Waterman, Patterson 2009): FLOP/s that `intensity` FLOP/byte
// allow.
double attainable_flop_per_s(double peak_flop_per_s, double peak_byte_per_s, double intensity);

// A share counted over the cycles in which SMs had work, of the kernel's time instead, as the roofs
// are: start and end of a kernel, when no SM works, count. That some SMs finish before others does
// not: while the busiest works its pipes bind, and idle SMs are the business of the balance rules.
// The quantity as it is where the busiest SM's time is not known.
std::optional<double> share_of_time(const KernelAnalysis& kernel, const std::string& quantity);

// What passes the L1 data stage, 128 bytes a clock and SM, which the cache and shared memory have
// in common: the share of shared memory alone, or of all loads and stores where that was counted.
std::optional<double> l1_data_utilisation(const KernelAnalysis& kernel);
inline constexpr const char* l1_data_stage = "L1 data stage";  // as `bound_pipe`

// The busiest arithmetic pipe: what a kernel can be bound by although it does few FLOP. Nsight
// Compute's compute throughput takes the highest of these as well, and of the issue slots, which
// here stand for themselves: slots full of loads and address arithmetic are no arithmetic roof.
struct BusyPipe {
  std::string name;  // "tensor pipe"
  double share = 0;
};
std::optional<BusyPipe> busiest_pipe(const KernelAnalysis& kernel);

// The higher of FLOP / peak and the busiest pipe's share: how near the kernel is to its arithmetic
// roof.
std::optional<double> arithmetic_utilisation(const KernelAnalysis& kernel);

// Fills bandwidth, intensity, utilisation, compute_utilisation, the FLOP's precision, bound_by,
// bound_pipe and, where a launch is long enough for it, headroom of a kernel whose traffic, flop,
// balance and time_s are set. The precision is that of the unit nearest to its own ceiling, so that
// a softmax beside a matrix product does not hide behind the larger number.
void place_on_roofline(KernelAnalysis& kernel,
                       const std::vector<std::pair<std::string, double>>& flop_by_unit,
                       const DeviceInfo& device, const ChipModel* chip,
                       const Quantities& quantities);

// The roof with the highest utilisation, a busy pipe counting as compute; `issue` when the issue
// slots are busier than every roof and pipe; `latency` when nothing reaches
// 60 %; `unknown` when too little was measured to tell: without HBM, busy issue slots or pipes say
// nothing of which is nearer.
BoundBy nearest_roof(const KernelAnalysis& kernel);

// The highest of the utilisations that are known: roofs, pipes and issue slots alike.
std::optional<double> highest_utilisation(const KernelAnalysis& kernel);

}  // namespace ridgepoint
