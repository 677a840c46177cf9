// Calls by which the program ends itself without its exit handlers: _exit, _Exit, quick_exit, and
// kill or raise of itself with a signal that ends it; and those of exec_calls.h. (abort() is a
// signal: fatal_signals.h.)
#pragma once

namespace ridgepoint::collector {

// `told` is called on the ending thread, before the end, with one of the numbers of process_end.h;
// in a child made by fork or vfork too, whose memory may be its parent's: it must look.
void watch_exit_calls(void (*told)(int end));
// Code that was loaded since then as well. One thread at a time.
void watch_new_code();

}  // namespace ridgepoint::collector
