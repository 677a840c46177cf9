// How many times a kernel, or the program, has to run for a set of counters, known before anything
// runs: CUPTI's host side needs neither GPU nor driver.
#pragma once

#include <string>
#include <vector>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct PassPlan {
  std::string chip;
  std::vector<std::string> counters;
  std::vector<std::string> refused;   // CUPTI does not have them for the chip
  std::vector<std::string> too_wide;  // take several passes each, which runs cannot put together
  std::size_t passes = 0;
  std::size_t one_pass_counters = 0;  // of a kernel that must not run again; 0: none
};

// Whether CUPTI counts on such chips at all. Fails with a device error without CUPTI.
Result<bool> cupti_counts_on(const std::string& chip);

// `counters` empty: those of `profile` ("lite", "default", "full"). `replay`: settings.h. Fails
// with bad usage when the chip is not known or no counter is, with a device error without CUPTI.
Result<PassPlan> plan_passes(const std::string& chip, const std::string& profile,
                             const std::vector<std::string>& counters, const std::string& replay);

}  // namespace ridgepoint::collector
