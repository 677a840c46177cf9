// Calls by which a program starts another in its own place: execv, execve, execvp, execvpe, execl,
// execlp, execle, fexecve. What the process has done must be written before; what cannot be started
// returns, and then the program goes on.
#pragma once

#include <vector>

#include "collector/inject/import_table.h"

namespace ridgepoint::collector {

// Functions to stand in their place; empty where the C library lacks one. `told` as in
// exit_calls.h.
std::vector<Import> exec_calls(void (*told)(int end));

}  // namespace ridgepoint::collector
