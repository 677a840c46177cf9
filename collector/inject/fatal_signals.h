// Signals that end the program, told of before they do.
#pragma once

namespace ridgepoint::collector {

// Those that end a process unless it has a handler, and that are meant so: faults, abort(), Ctrl+C,
// a closed terminal or pipe, a request to end. SIGKILL cannot be told of.
bool is_fatal(int signal);

// Takes those whose disposition is the default; what the program handles or ignores stays its own,
// and so does what it handles later. `told` is called in the signal handler, so it may do only what
// is safe there, in a forked child too. Afterwards the signal does what it would have done: exit
// status and core dump are the same. For the calling thread a stack for handlers is made if it has
// none, so that a stack that overflows is told of as well.
void watch_fatal_signals(void (*told)(int signal));

}  // namespace ridgepoint::collector
