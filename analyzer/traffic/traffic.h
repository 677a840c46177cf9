// Bytes through each level and FLOP by unit, from the quantities of a kernel; and their sums over
// kernels.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/traffic/quantities.h"

namespace ridgepoint {

// A wavefront is one cycle of the shared-memory pipe: 32 banks of 4 byte, used or not.
inline constexpr double bytes_per_wavefront = 128;

// HBM = DRAM read + write; L2 = all L2 traffic, both directions, with requests that were answered
// together (Traffic::merged) counted for each SM that asked; shared memory = wavefronts x 128,
// with the bytes that instructions asked for beside it.
PerLevel<Traffic> traffic_of(const Quantities& quantities);

// FLOP of the tensor pipe (all types), FP64, FP32 and FP16 apart, FMA counting 2. `total` adds what
// was measured; `precision` is left to the roofline, which knows the ceilings.
FlopCounts flop_of(const Quantities& quantities);

// FLOP by the ceiling they belong to: "tensor_fp16", "fp32" ... Only those that were executed.
std::vector<std::pair<std::string, double>> flop_by_unit(const Quantities& quantities);

// A part that one kernel lacks is empty in the sum.
void add_traffic(Traffic& sum, const Traffic& part);
// L2 bytes are then what was looked up.
void forget_merged(Traffic& traffic);
// Of a number of bytes that counts what merged.
std::optional<double> without_merged(const std::optional<double>& bytes, double merged);
void add_flop(FlopCounts& sum, const FlopCounts& part);

}  // namespace ridgepoint
