// The roofline bound on time: no kernel that moves these bytes and does this work is faster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/attention/io_model.h"

namespace ridgepoint {

struct TimeBound {
  double time_s = 0;  // 0 when no roof is known
  BoundBy by = BoundBy::unknown;
  PerLevel<std::optional<double>> level_s;  // empty where the level's roof is not known
  std::optional<double> compute_s;
};

// Share of the SMs that get a block; 1 when the grid is not known.
double busy_share(double blocks, const DeviceInfo& device);

// max(FLOP / peak, bytes / bandwidth) over `ceilings`; the theoretical ones, since a bound must not
// depend on how well a micro-benchmark did. `precision`: the ceiling that applies to the FLOP.
// `busy_share`: of the SMs that get a block at all; only theirs is the shared memory and the
// arithmetic that the kernel has, while a few SMs might use all of HBM and L2.
TimeBound time_bound(const KernelIo& io, double flop, const std::string& precision,
                     const std::vector<Ceiling>& ceilings, double busy_share = 1);

}  // namespace ridgepoint
