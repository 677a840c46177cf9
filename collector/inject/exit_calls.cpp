#include "collector/inject/exit_calls.h"

#include <sys/types.h>
#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

// Whether a program of this name can be started, that is found along PATH when it has no slash. In
// a child of vfork() as well, so without memory of its own. What cannot be started returns, and the
// program goes on.
bool can_start(const char* file, bool along_path) {
  if (file == nullptr || *file == '\0') {
    return false;
  }
  const char* path = std::getenv("PATH");
  if (!along_path || std::strchr(file, '/') != nullptr || path == nullptr) {
    return access(file, X_OK) == 0;
  }
  char name[PATH_MAX];
  for (const char* folder = path;;) {
    const char* end = strchrnul(folder, ':');
    const int length = static_cast<int>(end - folder);
    const int wrote =
        std::snprintf(name, sizeof(name), "%.*s%s%s", length, folder, length == 0 ? "" : "/", file);
    if (wrote > 0 && static_cast<std::size_t>(wrote) < sizeof(name) && access(name, X_OK) == 0) {
      return true;
    }
    if (*end == '\0') {
      return false;
    }
    folder = end + 1;
  }
}

using Exec = int (*)(const char*, char* const*);
using ExecWithEnvironment = int (*)(const char*, char* const*, char* const*);
Exec real_execv = nullptr;
Exec real_execvp = nullptr;
ExecWithEnvironment real_execve = nullptr;
ExecWithEnvironment real_execvpe = nullptr;

void before_exec(const char* file, bool along_path) {
  if (can_start(file, along_path)) {
    tell(end_by_exec);
  }
}
int exec_v(const char* file, char* const* arguments) {
  before_exec(file, false);
  return real_execv(file, arguments);
}
int exec_vp(const char* file, char* const* arguments) {
  before_exec(file, true);
  return real_execvp(file, arguments);
}
int exec_ve(const char* file, char* const* arguments, char* const* environment) {
  before_exec(file, false);
  return real_execve(file, arguments, environment);
}
int exec_vpe(const char* file, char* const* arguments, char* const* environment) {
  before_exec(file, true);
  return real_execvpe(file, arguments, environment);
}

ImportTable& imports() {
  static auto* const kept = new ImportTable({{"_exit", reinterpret_cast<void*>(exit_at_once)},
                                             {"_Exit", reinterpret_cast<void*>(exit_at_once)},
                                             {"kill", reinterpret_cast<void*>(kill_process)},
                                             {"raise", reinterpret_cast<void*>(raise_in_thread)},
                                             {"execv", reinterpret_cast<void*>(exec_v)},
                                             {"execvp", reinterpret_cast<void*>(exec_vp)},
                                             {"execve", reinterpret_cast<void*>(exec_ve)},
                                             {"execvpe", reinterpret_cast<void*>(exec_vpe)}});
  return *kept;
}

}  // namespace

void watch_exit_calls(void (*told)(int end)) {
  real_exit = reinterpret_cast<void (*)(int)>(real_function("_exit"));
  real_kill = reinterpret_cast<int (*)(pid_t, int)>(real_function("kill"));
  real_raise = reinterpret_cast<int (*)(int)>(real_function("raise"));
  real_execv = reinterpret_cast<Exec>(real_function("execv"));
  real_execvp = reinterpret_cast<Exec>(real_function("execvp"));
  real_execve = reinterpret_cast<ExecWithEnvironment>(real_function("execve"));
  real_execvpe = reinterpret_cast<ExecWithEnvironment>(real_function("execvpe"));
  if (real_exit == nullptr || real_kill == nullptr || real_raise == nullptr ||
      real_execv == nullptr || real_execvp == nullptr || real_execve == nullptr ||
      real_execvpe == nullptr) {
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
