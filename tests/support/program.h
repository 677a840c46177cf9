// Runs a built program as a user would and keeps what it printed.
#pragma once

#include <string>
#include <vector>

namespace ridgepoint::test {

struct ProgramResult {
  int exit_code = -1;  // -1 when it was ended by a signal
  std::string out;
  std::string err;
};

// `arguments[0]` is a program in the build's bin folder. Standard input is empty. `folder`: where
// it runs.
ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::string& folder = "/");

}  // namespace ridgepoint::test
