// Whole files in and out, with the safety rules of the project: bounded reading, atomic and
// exclusive writing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "analyzer/core/error.h"

namespace ridgepoint {

// The bytes of a regular file, or all that comes through a pipe, of at most `limit_bytes`. Folders
// and devices are refused; an open pipe is waited for, one without a writer is not.
Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t limit_bytes);

// The same of a regular file alone: what the program keeps for itself, where anything else is a
// mistake or a trap, never waited for.
Result<std::string> read_regular_file(const std::filesystem::path& path, std::uint64_t limit_bytes);

enum class Overwrite : bool { no, yes };
enum class Access : bool {
  owner,  // mode 0600: sessions, which may hold command lines and names of a machine
  umask,  // as the user's umask says, or as the file that is replaced had it: reports
};

// Writes `bytes` under a new name beside `path`, flushes it to the disk and renames it into place,
// so that a crash leaves the old file or the new one and never half of either. With Overwrite::no
// an existing `path`, a symbolic link included, is an error; with Overwrite::yes a link is
// replaced, not followed. What is no regular file (a pipe, /dev/stdout, /dev/null) is written into
// and never replaced, whatever `overwrite` says.
Status write_file(const std::filesystem::path& path, std::string_view bytes, Overwrite overwrite,
                  Access access = Access::owner);

// Adds `bytes` at the end of a regular file, which is created when absent: job summaries and logs
// that other programs write too. A symbolic link is not followed.
Status append_file(const std::filesystem::path& path, std::string_view bytes);

// The error for an output that exists already; one wording everywhere.
Error exists_error(const std::filesystem::path& path);

}  // namespace ridgepoint
