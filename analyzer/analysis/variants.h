// A variant of the workload: the sum of its kernels, beside what theory says.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/kernels.h"
#include "analyzer/analysis/launch_groups.h"

namespace ridgepoint {

// Parts that a split-KV variant shared its keys out in, by its grid; 1 for any other variant.
std::int64_t split_parts(const Session& session, const VariantRun& run);

// `kernels` are the analysed `groups`, index by index. Variants in the session's order; empty
// without a workload.
std::vector<VariantAnalysis> analyse_variants(const Session& session,
                                              const std::vector<LaunchGroup>& groups,
                                              const std::vector<KernelAnalysis>& kernels,
                                              const std::vector<DeviceKnowledge>& knowledge);

}  // namespace ridgepoint
