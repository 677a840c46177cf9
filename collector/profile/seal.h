// Turns the journals that the profiled processes left into sessions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint::collector {

// The last issue of a journal whose process came to its end; a journal without it was cut short.
inline constexpr const char* complete_code = "profile.complete";

struct SealedSession {
  std::filesystem::path path;
  std::int64_t process = 0;
  Session session;
};

struct SealOutcome {
  std::vector<SealedSession> sessions;  // in the order of their processes' ids
  std::vector<std::string> notes;       // for people: journals left where they are, and why
};

// What a process of the run left, and where it is to go.
struct LeftSession {
  std::filesystem::path journal;
  std::filesystem::path output;
  std::int64_t process = 0;
  Session session;
};
struct LeftSessions {
  std::vector<LeftSession> sessions;  // in the order of their processes' ids
  std::vector<std::string> notes;
};
// Reads the journals of the run beside `pattern`; they stay where they are. A process that still
// runs keeps its journal.
Result<LeftSessions> read_journals(const std::filesystem::path& pattern, const std::string& run_id);

// Writes them, and removes the journal of each that was written. Two processes with the same output
// name: the first gets it, the others get their process id in it.
SealOutcome write_sessions(LeftSessions left, bool force);

}  // namespace ridgepoint::collector
