#include "collector/inject/exit_calls.h"

#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <utility>
#include <vector>

#include "collector/inject/exec_calls.h"
#include "collector/inject/fatal_signals.h"
#include "collector/inject/import_table.h"
#include "collector/profile/process_end.h"

namespace ridgepoint::collector {
namespace {

void (*tell)(int end) = nullptr;
void (*real_exit)(int status) = nullptr;
int (*real_kill)(pid_t process, int signal) = nullptr;
int (*real_raise)(int signal) = nullptr;

void exit_at_once(int status) {
  tell(end_by_exit_call);
  real_exit(status);
}

// A program that takes a signal for itself and then ends by it sets the default first: Python after
// Ctrl+C, or a handler of a crash.
bool ends_this_process(int signal) {
  struct sigaction action = {};
  return signal == SIGKILL || (is_fatal(signal) && sigaction(signal, nullptr, &action) == 0 &&
                               (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL);
}

int kill_process(pid_t process, int signal) {
  if (process == getpid() && ends_this_process(signal)) {
    tell(signal);
  }
  return real_kill(process, signal);
}

int raise_in_thread(int signal) {
  if (ends_this_process(signal)) {
    tell(signal);
  }
  return real_raise(signal);
}

ImportTable& imports() {
  static auto* const kept = [] {
    std::vector<Import> all = exec_calls(tell);
    all.push_back({"_exit", reinterpret_cast<void*>(exit_at_once)});
    all.push_back({"_Exit", reinterpret_cast<void*>(exit_at_once)});
    all.push_back({"kill", reinterpret_cast<void*>(kill_process)});
    all.push_back({"raise", reinterpret_cast<void*>(raise_in_thread)});
    return new ImportTable(std::move(all));
  }();
  return *kept;
}

}  // namespace

void watch_exit_calls(void (*told)(int end)) {
  real_exit = reinterpret_cast<void (*)(int)>(real_function("_exit"));
  real_kill = reinterpret_cast<int (*)(pid_t, int)>(real_function("kill"));
  real_raise = reinterpret_cast<int (*)(int)>(real_function("raise"));
  if (real_exit == nullptr || real_kill == nullptr || real_raise == nullptr) {
    return;
  }
  tell = told;
  at_quick_exit([] { tell(end_by_quick_exit); });
  imports().replace();
}

void watch_new_code() {
  if (tell != nullptr) {
    imports().replace();
  }
}

}  // namespace ridgepoint::collector
