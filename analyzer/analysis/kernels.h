// From a group of launches to what is known about the kernel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/launch_groups.h"
#include "analyzer/chips/chip.h"
#include "analyzer/metrics/counter_map.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

// What data/ says about a device; empty optionals when it says nothing.
struct DeviceKnowledge {
  std::optional<ChipModel> chip;
  std::optional<CounterMap> counters;
};

struct AnalysedKernel {
  KernelAnalysis kernel;
  std::vector<std::string> incomplete;  // quantities that only some of the launches have
};

// `knowledge` has one entry a device of the session.
AnalysedKernel analyse_kernel(const Session& session, const LaunchGroup& group,
                              const std::vector<DeviceKnowledge>& knowledge);

}  // namespace ridgepoint
