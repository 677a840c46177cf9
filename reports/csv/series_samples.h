// What was watched over time, sample by sample, as the layouts of the CSV report write it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

struct SeriesSample {
  const char* series = "";  // "power" (NVML, over the run) or "pm_sampling" (within one run)
  std::optional<std::uint32_t> device;
  std::string variant;
  double time_s = 0;
  std::string quantity;
  double value = 0;  // finite
  std::string unit;
};

void for_each_sample(const Analysis& analysis,
                     const std::function<void(const SeriesSample&)>& visit);

}  // namespace ridgepoint
