// What is sampled over time on a chip.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

// The counters of data/pm-sampling, which one pass can read; fails for a chip that no file there
// lists. `data`: the folder share/ridgepoint.
Result<std::vector<std::string>> pm_sampling_counters(const std::string& chip,
                                                      const std::filesystem::path& data);

}  // namespace ridgepoint::collector
