#include "cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace ridgepoint::cli {
namespace {

void put(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  if (text.empty() || text.back() != '\n') {
    std::fputc('\n', stream);
  }
  std::fflush(stream);
}

constexpr int narrowest = 60;
constexpr int widest = 240;

}  // namespace

ExitCode print_error(const Error& error) {
  put(stderr, format_error(error));
  return exit_code_for(error);
}

void print_note(std::string_view text) {
  put(stderr, text);
}

void print_result(std::string_view text) {
  put(stdout, text);
}

Status finish_stdout() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return {};
  }
  const int code = errno;
  return fail(ErrorDomain::output, "writing to standard output",
              code == 0 ? "not everything could be written" : std::generic_category().message(code),
              {}, code);
}

ReportOptions terminal_report_options() {
  ReportOptions options;
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr && std::atoi(columns) > 0) {
    options.width = std::clamp(std::atoi(columns), narrowest, widest);
  }
  if (isatty(STDOUT_FILENO) == 0) {
    return options;
  }
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    options.width = std::clamp<int>(size.ws_col, narrowest, widest);
  }
  const char* no_color = std::getenv("NO_COLOR");  // https://no-color.org
  const char* terminal = std::getenv("TERM");
  options.colour = (no_color == nullptr || *no_color == '\0') && terminal != nullptr &&
                   std::strcmp(terminal, "dumb") != 0;
  return options;
}

bool stderr_is_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

}  // namespace ridgepoint::cli
