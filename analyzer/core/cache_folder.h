// Where a user's programs keep what can be made again.
#pragma once

#include <filesystem>

namespace ridgepoint {

// $XDG_CACHE_HOME/ridgepoint, else ~/.cache/ridgepoint. Empty when the environment names no such
// place: the XDG base directory specification has relative paths ignored.
std::filesystem::path cache_folder();

}  // namespace ridgepoint
