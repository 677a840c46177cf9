#include "cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
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

// COLUMNS, as POSIX names it: a whole positive number, otherwise as if it were not set.
std::optional<int> columns_asked_for() {
  const char* text = std::getenv("COLUMNS");
  if (text == nullptr) {
    return std::nullopt;
  }
  const std::string_view digits = text;
  int columns = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), columns);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && columns > 0 ? std::optional<int>(columns) : std::nullopt;
}

std::optional<int> columns() {
  if (const auto asked_for = columns_asked_for()) {
    return asked_for;
  }
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    winsize size{};
    if (isatty(stream) != 0 && ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
      return size.ws_col;
    }
  }
  return std::nullopt;
}

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

void print_piece(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
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
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  if (const auto known = columns()) {
    options.width = std::clamp(*known, narrowest, widest);
  }
  const char* no_color = std::getenv("NO_COLOR");  // https://no-color.org
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  options.colour = terminal && !dumb && (no_color == nullptr || *no_color == '\0');
  return options;
}

std::size_t help_width() {
  constexpr int usual = 80;
  constexpr int readable = 100;
  return static_cast<std::size_t>(std::clamp(columns().value_or(usual), narrowest, readable));
}

bool stderr_is_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

}  // namespace ridgepoint::cli
