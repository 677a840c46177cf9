// Writing a report to disk.
#pragma once

#include <filesystem>
#include <string_view>

#include "analyzer/core/error.h"

namespace ridgepoint {

// write_file() of analyzer/core/file.h with the permissions of the user's umask: reports are made
// to be shown.
Status write_report(std::string_view text, const std::filesystem::path& path, bool force = false);

}  // namespace ridgepoint
