// Whether a session can be written where it is to go, asked before the program runs for hours.
#pragma once

#include <filesystem>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

// Writes a few KiB beside `output`, under a name of its own, and removes them. Fails (output) with
// what stands in the way: no permission, no such file system, no space, a limit on file sizes.
Status check_folder(const std::filesystem::path& output);

}  // namespace ridgepoint::collector
