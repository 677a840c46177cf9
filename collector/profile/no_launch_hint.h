// What to do when a run was to count launches and none was.
#pragma once

#include <string>
#include <vector>

#include "collector/profile/seal.h"
#include "collector/profile/settings.h"

namespace ridgepoint::collector {

// One line. With a filter by NVTX range it names the ranges that the program did open: a misspelt
// name, another domain and a program without NVTX look the same from outside.
std::string no_launch_hint(const FilterOptions& filter, const std::vector<SealedSession>& sessions);

}  // namespace ridgepoint::collector
