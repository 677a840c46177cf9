// Reading and writing sessions. The format: docs/session-format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

inline constexpr std::string_view session_schema = "ridgepoint-session";
inline constexpr int session_version_major = 1;
inline constexpr int session_version_minor = 0;

// A file that claims to be larger than this once decompressed is refused, so that a damaged or
// hostile file cannot take the machine's memory.
inline constexpr std::uint64_t session_size_limit_bytes = std::uint64_t{512} << 20U;
inline constexpr int session_nesting_limit = 32;
// What else it may hold, so that memory stays within a small multiple of the file: numbers in
// columns, values outside them, bytes outside them, rows of a table, entries of a list.
inline constexpr std::size_t session_number_limit = std::size_t{1} << 26U;
inline constexpr std::size_t session_value_limit = std::size_t{1} << 23U;
inline constexpr std::size_t session_skeleton_limit_bytes = std::size_t{128} << 20U;
inline constexpr std::size_t session_row_limit = std::size_t{1} << 22U;
inline constexpr std::size_t session_list_limit = std::size_t{1} << 20U;

// Whether these bytes want to be a session or a journal: zstd, or a JSON object, a byte order mark
// before it or not.
bool is_session_content(std::string_view bytes);

// Reads NAME.ridge (zstd), plain .json, or the journal that a killed run left behind; recognised by
// content, not by name. Unknown fields are ignored, an unknown major version is refused, and every
// index is checked, so that a session in memory is always consistent.
Result<Session> read_session(const std::filesystem::path& path);
Result<Session> parse_session(std::string_view bytes, const std::string& name);

struct WriteOptions {
  bool force = false;  // replace an existing file
};

// Writes a session: zstd when the name ends in .ridge, plain JSON when it ends in .json. Created
// with mode 0600 under a temporary name beside `path` and renamed into place, so that a crash
// leaves either the old file or the new one. Without `force` an existing file is an error. A
// symbolic link at `path` is never followed.
Status write_session(const Session& session, const std::filesystem::path& path,
                     const WriteOptions& options = {});

std::string session_to_json(const Session& session);

}  // namespace ridgepoint
