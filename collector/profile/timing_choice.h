// --top and --min-duration: what a first run says about which kernels are worth counting.
#pragma once

#include <string>
#include <vector>

#include "analyzer/session/session.h"
#include "collector/profile/settings.h"

namespace ridgepoint::collector {

// More launch shapes than this are not told to the second run: those with the most time are.
inline constexpr std::size_t most_timed_shapes = 4096;

// `sessions`: one a process, with the times of the launches that the other filters let through.
// Completes the filter for the second run.
FilterOptions chosen_by_time(FilterOptions filter, const std::vector<const Session*>& sessions);

// What was chosen, for people.
std::string timing_text(const FilterOptions& filter, const std::vector<const Session*>& sessions);

}  // namespace ridgepoint::collector
