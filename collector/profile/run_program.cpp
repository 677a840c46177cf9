#include "collector/profile/run_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "analyzer/core/descriptor.h"
#include "analyzer/core/file_size_signal.h"

namespace ridgepoint::collector {
namespace {

constexpr std::array forwarded = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT};

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : forwarded) {
    sigaddset(&set, signal);
  }
  sigaddset(&set, SIGCHLD);
  return set;
}

// The watched signals are blocked while one of these lives, and taken one by one instead.
class BlockSignals {
 public:
  BlockSignals() {
    const sigset_t set = watched_signals();
    pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockSignals(const BlockSignals&) = delete;
  BlockSignals& operator=(const BlockSignals&) = delete;
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

// Ctrl+C on a terminal reaches the whole foreground group, the program included; only what was sent
// to this process alone is passed on.
bool sent_to_this_process_alone(const siginfo_t& info) {
  return info.si_code == SI_USER || info.si_code == SI_QUEUE || info.si_code == SI_TKILL;
}

ProgramEnd end_of(pid_t program, int status) {
  ProgramEnd end;
  end.process = program;
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
  return end;
}

ProgramEnd wait_for(pid_t program) {
  const sigset_t set = watched_signals();
  while (true) {
    int status = 0;
    if (waitpid(program, &status, WNOHANG) == program) {
      return end_of(program, status);
    }
    siginfo_t info{};
    const int signal = sigwaitinfo(&set, &info);
    if (signal > 0 && signal != SIGCHLD && sent_to_this_process_alone(info)) {
      kill(program, signal);
    }
  }
}

// In the child: never returns. `report` carries errno to the parent when there is no program to
// run, and closes by itself when there is.
[[noreturn]] void become(char* const* arguments, const sigset_t& signals, int report) {
  pthread_sigmask(SIG_SETMASK, &signals, nullptr);
  give_back_file_size_signal();
  execvp(arguments[0], arguments);
  const int code = errno;
  static_cast<void>(!write(report, &code, sizeof(code)));
  _exit(127);
}

// Of one argument or variable, and as far as Linux goes whatever `ulimit -s` says.
constexpr std::size_t longest_word = 32 * 4096;

// execve() says only that something is too long.
Error too_long(const std::vector<std::string>& arguments,
               const std::vector<std::pair<std::string, std::string>>& variables,
               const std::string& started) {
  for (const auto& [name, value] : variables) {
    if (name.size() + 1 + value.size() >= longest_word) {
      return {ErrorDomain::usage, E2BIG, started,
              fmt::format("what it is to be measured by takes {} bytes ({}), and a program can be "
                          "handed {}",
                          value.size(), name, longest_word),
              "name fewer counters with -c, or a profile of them (-c full); shorten the filters"};
    }
  }
  std::size_t all = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].size() >= longest_word) {
      return {ErrorDomain::usage, E2BIG, started,
              fmt::format("its argument {} has {} bytes, and a program can be handed {}", i,
                          arguments[i].size(), longest_word),
              "hand it over in a file"};
    }
    all += arguments[i].size() + 1;
  }
  return {ErrorDomain::usage, E2BIG, started,
          fmt::format("its {} arguments ({} bytes) and the environment are together too long",
                      arguments.size() - 1, all),
          "`ulimit -s` limits them; hand them over in a file, or unset variables"};
}

}  // namespace

std::string ProgramEnd::text() const {
  return signal != 0 ? fmt::format("signal {} ({})", signal, strsignal(signal))
                     : fmt::format("exit code {}", exit_code);
}

Result<ProgramEnd> run_program(const std::vector<std::string>& arguments,
                               const std::vector<std::pair<std::string, std::string>>& variables) {
  const std::string what = "running " + arguments.at(0);
  std::vector<std::string> words = arguments;
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return fail(ErrorDomain::internal, what, std::strerror(errno), {}, errno);
  }
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  // Before the fork: afterwards the child may only call what is safe in a signal handler.
  for (const auto& [name, value] : variables) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  const BlockSignals blocked;
  const auto start = std::chrono::steady_clock::now();
  const pid_t program = fork();
  if (program < 0) {
    return fail(ErrorDomain::internal, what, std::strerror(errno), {}, errno);
  }
  if (program == 0) {
    become(pointers.data(), blocked.before(), writing.get());
  }
  for (const auto& [name, value] : variables) {
    unsetenv(name.c_str());
  }
  writing.close();
  int code = 0;
  ssize_t got = 0;
  do {
    got = read(reading.get(), &code, sizeof(code));
  } while (got < 0 && errno == EINTR);
  ProgramEnd end = wait_for(program);
  if (got == static_cast<ssize_t>(sizeof(code)) && code == E2BIG) {
    return tl::make_unexpected(too_long(arguments, variables, what));
  }
  if (got == static_cast<ssize_t>(sizeof(code))) {
    return fail(ErrorDomain::usage, what, std::strerror(code),
                "give the program after --, as you would start it", code);
  }
  end.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return end;
}

}  // namespace ridgepoint::collector
