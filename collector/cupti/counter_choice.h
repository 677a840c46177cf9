// From a profile's name, or names of counters, to what a chip can collect.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "collector/cupti/profiler_host.h"

namespace ridgepoint::collector {

struct CounterChoice {
  ProfilerHost host;
  CounterPlan plan;
  std::vector<std::string> refused;  // asked for, but this CUPTI does not have them for the chip
};

// "lite", "default" or "full": a set of counters of each chip's counter map.
bool is_counter_profile(const std::string& name);

// `counters`: those asked for by name, profiles among them, or empty for those of `profile` in the
// chip's counter map below `data_folder`. Fails when none can be collected.
Result<CounterChoice> choose_counters(const CuptiApi& api, const std::string& chip,
                                      const std::string& profile,
                                      const std::vector<std::string>& counters,
                                      const std::filesystem::path& data_folder);

}  // namespace ridgepoint::collector
