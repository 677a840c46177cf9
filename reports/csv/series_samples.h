// What was watched over time, sample by sample, as the layouts of the CSV report write it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

struct SeriesSample {
  // "power" (NVML, over the run) or "pm_sampling" (within one run of a variant, or one launch)
  const char* series = "";
  std::optional<std::uint32_t> device;
  std::string variant;
  std::string kernel;    // of a launch; else empty
  std::int64_t nth = 0;  // which launch of that kernel on the device, from 1; 0: none
  double time_s = 0;
  std::string quantity;
  double value = 0;  // finite
  std::string unit;
};

void for_each_sample(const Analysis& analysis,
                     const std::function<void(const SeriesSample&)>& visit);

}  // namespace ridgepoint
