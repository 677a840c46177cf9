// The numbers of a timeline.
#pragma once

#include <optional>
#include <vector>

#include "analyzer/session/session.h"
#include "analyzer/timeline/timeline.h"

namespace ridgepoint {

std::vector<DeviceActivity> activity_of_devices(const std::vector<TimelineLane>& lanes);
std::vector<MemoryTotal> memory_totals(const Session& session);
// The shortest stretch that holds half of the kernels' time, with a little room at both ends; empty
// when it is more than a quarter of the whole, or no kernel has a time.
std::optional<TimeWindow> busiest_stretch(const std::vector<TimelineLane>& lanes,
                                          std::int64_t duration_ns);

}  // namespace ridgepoint
