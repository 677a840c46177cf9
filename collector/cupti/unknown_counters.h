// What to tell someone whose counters a chip does not have.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ridgepoint::collector {

// A hint: the nearest counter of the chip's file below `data_folder`, or the nearest profile, for
// the first of `names` that is near one; and where all counters are listed.
std::string unknown_counters_hint(const std::string& chip, const std::vector<std::string>& names,
                                  const std::filesystem::path& data_folder);

}  // namespace ridgepoint::collector
