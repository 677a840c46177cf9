// Whole files in and out, with the safety rules of the project: bounded reading, atomic and
// exclusive writing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "analyzer/core/error.h"

namespace ridgepoint {

// The bytes of a regular file of at most `limit_bytes`. Folders, devices and pipes are refused.
Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t limit_bytes);

enum class Overwrite : bool { no, yes };

// Writes `bytes` under a new name beside `path` (mode 0600 less umask), flushes it to the disk and
// renames it into place, so that a crash leaves the old file or the new one and never half of
// either. With Overwrite::no an existing `path`, a symbolic link included, is an error; with
// Overwrite::yes a link is replaced, not followed.
Status write_file(const std::filesystem::path& path, std::string_view bytes, Overwrite overwrite);

// Adds `bytes` at the end of a regular file, which is created when absent: job summaries and logs
// that other programs write too. A symbolic link is not followed.
Status append_file(const std::filesystem::path& path, std::string_view bytes);

// The error for an output that exists already; one wording everywhere.
Error exists_error(const std::filesystem::path& path);

}  // namespace ridgepoint
