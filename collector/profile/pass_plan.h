// How many times a kernel has to run for a set of counters, known before anything runs: CUPTI's
// host side needs neither GPU nor driver.
#pragma once

#include <string>
#include <vector>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct PassPlan {
  std::vector<std::string> counters;
  std::vector<std::string> refused;  // CUPTI does not have them for the chip
  std::size_t passes = 0;
};

// `counters` empty: those of `profile` ("lite", "default", "full").
Result<PassPlan> plan_passes(const std::string& chip, const std::string& profile,
                             const std::vector<std::string>& counters);

}  // namespace ridgepoint::collector
