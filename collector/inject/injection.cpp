// The entry points of libridgepoint_inject.so, which the CUDA driver and NVTX load into the
// profiled program. Without the settings of a launcher they do nothing.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <mutex>

#include "collector/inject/exit_calls.h"
#include "collector/inject/fatal_signals.h"
#include "collector/inject/launch_callback.h"
#include "collector/inject/launch_wrappers.h"
#include "collector/inject/nvtx_entry.h"
#include "collector/inject/tool.h"
#include "collector/profile/settings.h"

namespace ridgepoint::collector {
namespace {

std::atomic<InjectedTool*> tool{nullptr};
std::atomic<pid_t> tool_process{0};

// The settings that are meant for this process; empty when there are none.
const std::optional<ProfileSettings>& settings() {
  static const auto* read = [] {
    auto* settings = new std::optional<ProfileSettings>;
    const char* text = std::getenv(settings_variable);
    if (text == nullptr) {
      return settings;
    }
    Result<ProfileSettings> parsed = settings_from_text(text);
    if (!parsed || (!parsed->follow_children && getppid() != parsed->launcher_process)) {
      return settings;
    }
    if (!parsed->follow_children) {
      for (const char* variable :
           {settings_variable, cuda_injection_variable, nvtx_injection_variable}) {
        unsetenv(variable);
      }
    }
    settings->emplace(std::move(*parsed));
    return settings;
  }();
  return *read;
}

void finish_replays_at_exit() {
  InjectedTool* running = tool.load();
  if (running == nullptr || tool_process != getpid()) {
    return;
  }
  try {
    running->exit_begins();
    running->finish_replays();
  } catch (...) {
    // As below.
  }
}

void finish_at_exit() {
  InjectedTool* running = tool.load();
  // In a forked child the tool is the parent's.
  if (running == nullptr || tool_process != getpid()) {
    return;
  }
  try {
    running->finish();
  } catch (...) {
    // The program's own end must not be disturbed.
  }
}

// exit() runs handlers and may take its time; what follows is waited for by a program that has
// already decided to end.
constexpr std::chrono::milliseconds exit_call_patience{5000};
constexpr std::chrono::milliseconds signal_patience{3000};

// These may be called in a signal handler, and in a child of vfork(), which has its parent's
// memory: the tool and its thread are the parent's then.
void finish_before(int end, std::chrono::milliseconds patience) {
  InjectedTool* running = tool.load();
  if (running != nullptr && tool_process == getpid()) {
    running->finish_before_end(end, patience);
  }
}
void finish_before_exit_call(int end) {
  finish_before(end, exit_call_patience);
}
void finish_before_signal(int signal) {
  finish_before(signal, signal_patience);
}

// A child made by fork alone shares memory, journal and locks with its parent, but none of its
// threads; the GPU is closed to it. A signal that ended the parent meanwhile would wait for the
// locks that its own thread holds, so signals come afterwards.
thread_local sigset_t signals_before_fork;
void before_fork() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &signals_before_fork);
  if (InjectedTool* running = tool.load()) {
    running->before_fork();
  }
  lock_nvtx_for_fork();
}
void after_fork_in_parent() {
  unlock_nvtx_after_fork();
  if (InjectedTool* running = tool.load()) {
    running->after_fork();
  }
  pthread_sigmask(SIG_SETMASK, &signals_before_fork, nullptr);
}
void after_fork_in_child() {
  unlock_nvtx_after_fork();
  if (tool.exchange(nullptr) != nullptr) {
    listen_to_nvtx(false);
    hear_nothing_in_forked_child();
    detour_launches_by(nullptr);
  }
  pthread_sigmask(SIG_SETMASK, &signals_before_fork, nullptr);
}

// What NVTX and CUDA both need, whichever comes first. False: this process is not to be measured.
bool prepare() {
  static const bool prepared = [] {
    if (!settings()) {
      return false;
    }
    Result<LaunchFilter> filter = LaunchFilter::create(settings()->filter);
    if (!filter) {
      return false;  // the launcher has refused it already
    }
    static auto* const kept = new LaunchFilter(std::move(*filter));
    nvtx_ranges().set_filter(
        kept->ranges(),
        nvtx_scope_of(settings()->filter.nvtx_scope).value_or(NvtxScope::automatic));
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    listen_to_nvtx(true);
    return true;
  }();
  return prepared;
}

void start_tool() {
  if (!prepare() || tool.load() != nullptr) {
    return;
  }
  Result<LaunchFilter> filter = LaunchFilter::create(settings()->filter);
  if (!filter) {
    return;
  }
  auto* started = new InjectedTool(*settings(), std::move(*filter), finish_replays_at_exit);
  tool_process = getpid();
  tool = started;
  started->start();
  std::atexit(finish_at_exit);
  watch_exit_calls(finish_before_exit_call);
  watch_fatal_signals(finish_before_signal);
}

}  // namespace
}  // namespace ridgepoint::collector

#define RIDGEPOINT_EXPORTED extern "C" __attribute__((visibility("default")))

// Called by the CUDA driver from cuInit(). 1: success.
RIDGEPOINT_EXPORTED int InitializeInjection() {
  try {
    ridgepoint::collector::start_tool();
  } catch (...) {
    // The program goes on unprofiled.
  }
  return 1;
}

// Called by each copy of NVTX in the process, at its first use. 0: NVTX stays switched off.
RIDGEPOINT_EXPORTED int InitializeInjectionNvtx2(const void* (*get_export_table)(unsigned)) {
  namespace collector = ridgepoint::collector;
  try {
    return collector::prepare() ? collector::attach_nvtx(get_export_table) : 0;
  } catch (...) {
    return 0;
  }
}
