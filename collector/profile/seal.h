// Turns the journals that the profiled processes left into sessions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"
#include "collector/profile/output_name.h"
#include "collector/profile/process_end.h"
#include "collector/profile/run_program.h"

namespace ridgepoint::collector {

struct SealedSession {
  std::filesystem::path path;
  std::int64_t process = 0;
  Session session;
};

struct SealOutcome {
  std::vector<SealedSession> sessions;  // in the order of their processes' ids
  std::vector<std::string> notes;       // for people: journals left where they are, and why
  std::vector<Error> failures;          // records and sessions that could not be written
  std::size_t journals_kept = 0;        // that could not be sealed
};

// What a process of the run left, and where it is to go.
struct LeftSession {
  std::filesystem::path journal;
  std::filesystem::path output;
  ProcessTurn process;
  Session session;
};
struct LeftSessions {
  std::vector<LeftSession> sessions;  // in the order of their processes' ids
  std::vector<std::string> notes;
  std::vector<Error> failures;  // of processes that could not write their records
  std::size_t journals_kept = 0;
};
// Reads the journals of the run beside `pattern`; they stay where they are. A process that still
// runs keeps its journal. `program`: how the launcher's own child ended.
Result<LeftSessions> read_journals(const std::filesystem::path& pattern, const std::string& run_id,
                                   const ProgramEnd& program = {});

// Writes them, and removes the journal of each that was written. Two processes with the same output
// name: the first gets it, the others get their process id in it (with "_2" when it is the second
// program of that process).
SealOutcome write_sessions(LeftSessions left, bool force);

}  // namespace ridgepoint::collector
