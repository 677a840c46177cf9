// Runs a piece of work in a child process that may not take more than so much address space, and
// says how it ended: for inputs that are made to eat memory. Not under AddressSanitizer, whose
// shadow alone takes terabytes of addresses.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <string>

namespace ridgepoint::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool memory_can_be_limited = false;
#else
inline constexpr bool memory_can_be_limited = true;
#endif

// What `work` returned, or how the child died.
inline std::string in_limited_memory(std::uint64_t bytes,
                                     const std::function<std::string()>& work) {
  int ends[2];
  if (pipe(ends) != 0) {
    return "no pipe";
  }
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    std::string said = "out of memory";
    try {
      said = work();
    } catch (const std::exception& thrown) {
      said = std::string("threw ") + thrown.what();
    }
    const ssize_t written = write(ends[1], said.data(), said.size());
    _exit(written == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string said;
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    said.append(buffer, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? said : "killed by signal " + std::to_string(WTERMSIG(status));
}

}  // namespace ridgepoint::test
