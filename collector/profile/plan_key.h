// What kept plans of passes depend on: where any of it is another, they are made again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "collector/profile/profile.h"

namespace ridgepoint::collector {

struct PlanPlace {
  std::filesystem::path program;   // Ridgepoint's own: builds of a version differ
  std::filesystem::path data;      // with its tables of counters
  std::vector<std::string> cupti;  // where it may be, best first (cupti_candidates())
  std::string driver;              // its version
  std::string gpus;                // gpu_models.h
};

// Empty where one of these is not known. With a part for what the environment shows of the GPUs and
// for what is asked for. May hold any bytes.
std::string plan_key(const ProfileOptions& options, const PlanPlace& place);

}  // namespace ridgepoint::collector
