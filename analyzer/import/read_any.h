// Opens whatever a user may hold: a session of ours, or an export that can be imported.
#pragma once

#include <filesystem>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

// Told apart by content: a session is zstd or JSON, everything else is tried as an import. The path
// "-" is standard input.
Result<Session> read_any(const std::filesystem::path& path);

}  // namespace ridgepoint
