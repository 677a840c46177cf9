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
#include "analyzer/stalls/stalls.h"
#include "analyzer/traffic/quantities.h"

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

// What is worked out once for all kernels. The vectors have one entry a device, `times_s` one a
// launch (NaN where it is not known).
struct SessionTables {
  const Session& session;
  const std::vector<DeviceKnowledge>& knowledge;
  std::vector<LaunchCounters> counters;
  std::vector<double> times_s;
  PcSamplesByKernel samples;

  SessionTables(const Session& one, const std::vector<DeviceKnowledge>& known);
};

AnalysedKernel analyse_kernel(const SessionTables& tables, const LaunchGroup& group);

}  // namespace ridgepoint
