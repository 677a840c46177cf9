// A variant of the workload: the sum of its kernels, beside what theory says.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/kernels.h"
#include "analyzer/analysis/launch_groups.h"

namespace ridgepoint {

// `kernels` are the analysed `groups`, index by index. Variants in the session's order; empty
// without a workload.
std::vector<VariantAnalysis> analyse_variants(const Session& session,
                                              const std::vector<LaunchGroup>& groups,
                                              const std::vector<KernelAnalysis>& kernels,
                                              const std::vector<DeviceKnowledge>& knowledge);

}  // namespace ridgepoint
