// Energy of kernels that run long enough for the device's running total, which moves in steps some
// 100 ms apart (docs/power.md): between the first and the last step seen within launches of one
// kernel, and nothing else on the device, power is energy over time; energy of a launch = power x
// its time. Kernels without such launches have none: nothing is shared out among neighbours.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/launch_groups.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

// Fills `energy` of each kernel from the launches of the group in its place.
void fill_kernel_energy(std::vector<KernelAnalysis>& kernels,
                        const std::vector<LaunchGroup>& groups, const Session& session);

}  // namespace ridgepoint
