#include "collector/inject/exec_calls.h"

#include <alloca.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "collector/profile/process_end.h"

// All of this may run in a child of vfork(), whose memory is its parent's: nothing is allocated.

namespace ridgepoint::collector {
namespace {

using Arguments = char* const*;

void (*tell)(int end) = nullptr;
int (*real_execv)(const char*, Arguments) = nullptr;
int (*real_execvp)(const char*, Arguments) = nullptr;
int (*real_execve)(const char*, Arguments, Arguments) = nullptr;
int (*real_execvpe)(const char*, Arguments, Arguments) = nullptr;
int (*real_fexecve)(int, Arguments, Arguments) = nullptr;

// What the kernel starts. One that may not be read is taken for such.
bool begins_as_program(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    return true;
  }
  std::array<char, 4> begin = {};
  const bool read_all =
      read(file, begin.data(), begin.size()) == static_cast<ssize_t>(begin.size());
  close(file);
  return read_all && (std::memcmp(begin.data(),
                                  "\x7f"
                                  "ELF",
                                  begin.size()) == 0 ||
                      std::memcmp(begin.data(), "#!", 2) == 0);
}

// `by_shell`: a file that the kernel does not know is a script, which execvp and its like give to
// the shell.
bool is_program(const char* path, bool by_shell) {
  struct stat about = {};
  return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0 &&
         (by_shell || begins_as_program(path));
}

bool is_program_along_path(const char* file) {
  const char* path = std::getenv("PATH");
  if (path == nullptr) {
    return false;
  }
  std::array<char, PATH_MAX> name;
  for (const char* folder = path;;) {
    const char* end = strchrnul(folder, ':');
    const int length = static_cast<int>(end - folder);
    const int wrote = std::snprintf(name.data(), name.size(), "%.*s%s%s", length, folder,
                                    length == 0 ? "" : "/", file);
    if (wrote > 0 && static_cast<std::size_t>(wrote) < name.size() &&
        is_program(name.data(), true)) {
      return true;
    }
    if (*end == '\0') {
      return false;
    }
    folder = end + 1;
  }
}

void before_exec(const char* file, bool along_path) {
  const int error = errno;
  const bool starts =
      file != nullptr && *file != '\0' &&
      (along_path && std::strchr(file, '/') == nullptr ? is_program_along_path(file)
                                                       : is_program(file, along_path));
  if (starts) {
    tell(end_by_exec);
  }
  errno = error;
}

int exec_v(const char* file, Arguments arguments) {
  before_exec(file, false);
  return real_execv(file, arguments);
}
int exec_vp(const char* file, Arguments arguments) {
  before_exec(file, true);
  return real_execvp(file, arguments);
}
int exec_ve(const char* file, Arguments arguments, Arguments environment) {
  before_exec(file, false);
  return real_execve(file, arguments, environment);
}
int exec_vpe(const char* file, Arguments arguments, Arguments environment) {
  before_exec(file, true);
  return real_execvpe(file, arguments, environment);
}
int exec_file(int file, Arguments arguments, Arguments environment) {
  struct stat about = {};
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode)) {
    tell(end_by_exec);
  }
  return real_fexecve(file, arguments, environment);
}

std::size_t count_of(const char* first, va_list* list) {
  std::size_t count = 0;
  va_list copy;
  va_copy(copy, *list);
  for (const char* one = first; one != nullptr; one = va_arg(copy, const char*)) {
    ++count;
  }
  va_end(copy);
  return count;
}

// With the null at their end; `list` stands behind it then.
void take_all(const char* first, va_list* list, char** into) {
  for (const char* one = first; one != nullptr; one = va_arg(*list, const char*)) {
    *into++ = const_cast<char*>(one);
  }
  *into = nullptr;
}

// What `exec` returns, which gets them as a list.
template <class Exec>
int with_arguments(const char* first, va_list* list, Exec exec) {
  auto** arguments = static_cast<char**>(alloca((count_of(first, list) + 1) * sizeof(char*)));
  take_all(first, list, arguments);
  return exec(arguments);
}

int exec_l(const char* file, const char* first, ...) {
  va_list list;
  va_start(list, first);
  const int result = with_arguments(first, &list, [&](Arguments all) { return exec_v(file, all); });
  va_end(list);
  return result;
}
int exec_lp(const char* file, const char* first, ...) {
  va_list list;
  va_start(list, first);
  const int result =
      with_arguments(first, &list, [&](Arguments all) { return exec_vp(file, all); });
  va_end(list);
  return result;
}
int exec_le(const char* file, const char* first, ...) {
  va_list list;
  va_start(list, first);
  const int result = with_arguments(
      first, &list, [&](Arguments all) { return exec_ve(file, all, va_arg(list, Arguments)); });
  va_end(list);
  return result;
}

template <class Function>
bool find(const char* name, Function& function) {
  function = reinterpret_cast<Function>(real_function(name));
  return function != nullptr;
}

}  // namespace

std::vector<Import> exec_calls(void (*told)(int end)) {
  tell = told;
  if (!find("execv", real_execv) || !find("execvp", real_execvp) || !find("execve", real_execve) ||
      !find("execvpe", real_execvpe) || !find("fexecve", real_fexecve)) {
    return {};
  }
  return {{"execv", reinterpret_cast<void*>(exec_v)},
          {"execvp", reinterpret_cast<void*>(exec_vp)},
          {"execve", reinterpret_cast<void*>(exec_ve)},
          {"execvpe", reinterpret_cast<void*>(exec_vpe)},
          {"fexecve", reinterpret_cast<void*>(exec_file)},
          {"execl", reinterpret_cast<void*>(exec_l)},
          {"execlp", reinterpret_cast<void*>(exec_lp)},
          {"execle", reinterpret_cast<void*>(exec_le)}};
}

}  // namespace ridgepoint::collector
