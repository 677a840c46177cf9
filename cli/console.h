// Results go to stdout; progress and messages to stderr.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "analyzer/core/error.h"
#include "reports/report.h"

namespace ridgepoint::cli {

// "error: ..." and "hint: ..." on stderr. Gives the documented exit code.
ExitCode print_error(const Error& error);
// A message on stderr, for people only.
void print_note(std::string_view text);
// A result on stdout.
void print_result(std::string_view text);
// A piece of one, as it is: the last piece brings the newline.
void print_piece(std::string_view text);
// Flushes stdout and says whether all of it arrived: a full disk or a closed descriptor must not
// look like success.
Status finish_stdout();

// Width: COLUMNS when it is set, else that of the terminal stdout is, or stderr where stdout is
// piped (into a pager), else 100. Colour: on a terminal that is not TERM=dumb, unless NO_COLOR is
// set.
ReportOptions terminal_report_options();
// For --help: the same, between 60 and 100, since longer lines are hard to read; 80 where nothing
// tells.
std::size_t help_width();
bool stderr_is_terminal();

}  // namespace ridgepoint::cli
