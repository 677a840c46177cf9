// Runs the program to be profiled: its standard streams, terminal and signals are its own.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct ProgramEnd {
  pid_t process = 0;
  int exit_code = 0;  // when signal is 0
  int signal = 0;     // that ended it
  double wall_s = 0;

  bool failed() const { return signal != 0 || exit_code != 0; }
  // "exit code 3", "signal 9 (Killed)".
  std::string text() const;
  // As a shell gives it: 128 + signal.
  int shell_code() const { return signal != 0 ? 128 + signal : exit_code; }
};

// `variables` are set in the program's environment. Waits for its end; signals sent to this process
// meanwhile are passed on. Fails (usage) when there is no such program.
Result<ProgramEnd> run_program(const std::vector<std::string>& arguments,
                               const std::vector<std::pair<std::string, std::string>>& variables);

}  // namespace ridgepoint::collector
