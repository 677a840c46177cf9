// How a profiled process ended, as its journal and the launcher tell it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/session/session.h"

namespace ridgepoint::collector {

// Issues of a journal, which its session does not keep. The last one of a process whose records are
// complete:
inline constexpr const char* complete_code = "profile.complete";
// Before the records of a process that ends without its exit handlers; its text is how.
inline constexpr const char* end_code = "profile.end";

// What the injection library learns of such an end, in a number that a signal handler can store:
// a signal's own, or one of these.
inline constexpr int end_by_exit_call = -1;
inline constexpr int end_by_quick_exit = -2;
inline constexpr int end_by_exec = -3;
std::string early_end_text(int end);  // "signal 11 (SIGSEGV)", "_exit"

std::string signal_text(int signal);  // "signal 9 (SIGKILL)", "signal 2 (SIGINT, Ctrl+C)"

struct ProcessEnd {
  std::int64_t process = 0;
  bool complete = false;         // the journal has its last row
  std::string early;             // early_end_text(), from the journal; else empty
  std::optional<int> exit_code;  // of the launcher's own child
  std::optional<int> signal;     // the same
  std::optional<int> failure;    // errno; the journal could not be written any more
  bool any_record = true;        // the journal has a launch, copy or sample
};

// The issue that says so: none when it ended as it should, "profile.ended" when nothing is missing
// all the same, else "profile.cut_short".
std::optional<Issue> issue_of_end(const ProcessEnd& end);

// "No space left on device"; 0 is a journal that the program itself closed.
std::string failure_text(int failure);

}  // namespace ridgepoint::collector
