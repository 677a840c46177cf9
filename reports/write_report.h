// Writing a report to disk.
#pragma once

#include <filesystem>
#include <string_view>

#include "analyzer/core/error.h"

namespace ridgepoint {

// Writes the whole text under a temporary name beside `path` and renames it into place: a reader
// sees the old file or the new one, never half of one. Without `force` an existing file is an
// error, also when it appears meanwhile. A symbolic link at `path` is never followed: without
// `force` it is an error, with it the link itself is replaced. Permissions follow the umask.
Status write_report(std::string_view text, const std::filesystem::path& path, bool force = false);

}  // namespace ridgepoint
