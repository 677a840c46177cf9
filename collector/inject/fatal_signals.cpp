#include "collector/inject/fatal_signals.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

namespace ridgepoint::collector {
namespace {

constexpr std::array fatal = {SIGHUP, SIGINT, SIGQUIT, SIGILL,  SIGABRT,
                              SIGBUS, SIGFPE, SIGSEGV, SIGPIPE, SIGTERM};

void (*tell)(int signal) = nullptr;

// The instruction is run again when the handler returns, and faults again: the core shows it.
bool comes_again(int signal, const siginfo_t& info) {
  return (signal == SIGILL || signal == SIGBUS || signal == SIGFPE || signal == SIGSEGV) &&
         info.si_code > 0;
}

void handle(int signal, siginfo_t* info, void* /*context*/) {
  const int number = errno;
  tell(signal);
  struct sigaction by_default = {};
  by_default.sa_handler = SIG_DFL;
  sigaction(signal, &by_default, nullptr);
  if (!comes_again(signal, *info)) {
    raise(signal);  // held back until this handler returns
  }
  errno = number;
}

void give_stack() {
  stack_t now = {};
  if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) {
    return;
  }
  // What the processor saves for a handler may be 8 KiB and more (AVX-512, AMX).
  constexpr long least = 65536;
  const auto bytes = static_cast<std::size_t>(std::max(sysconf(_SC_SIGSTKSZ), least));
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return;
  }
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = bytes;
  if (sigaltstack(&stack, nullptr) != 0) {
    munmap(memory, bytes);
  }  // else it stays for as long as the thread: nobody tells when that ends
}

}  // namespace

bool is_fatal(int signal) {
  return std::find(fatal.begin(), fatal.end(), signal) != fatal.end();
}

void watch_fatal_signals(void (*told)(int signal)) {
  tell = told;
  give_stack();
  for (const int signal : fatal) {
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
        now.sa_handler != SIG_DFL) {
      continue;
    }
    struct sigaction ours = {};
    ours.sa_sigaction = handle;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    sigaction(signal, &ours, nullptr);
  }
}

}  // namespace ridgepoint::collector
