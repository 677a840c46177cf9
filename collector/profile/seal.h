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

// What the launcher itself saw of the run, added to each session before it is written.
using AddToSession = std::function<void(Session&)>;

// The journals of the run beside `pattern`. A process that still runs keeps its journal. Two
// processes with the same output name: the first gets it, the others get their process id in it.
Result<SealOutcome> seal_journals(const std::filesystem::path& pattern, const std::string& run_id,
                                  bool force, const AddToSession& add = {});

}  // namespace ridgepoint::collector
