// The series over time of the JSON report.
#pragma once

#include <nlohmann/json.hpp>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// A list, empty when no device was watched.
nlohmann::ordered_json power_json(const Analysis& analysis);
// A list, empty when nothing was sampled over time.
nlohmann::ordered_json pm_sampling_json(const Analysis& analysis);

}  // namespace ridgepoint
