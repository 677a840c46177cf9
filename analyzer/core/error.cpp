#include "analyzer/core/error.h"

#include "analyzer/core/text.h"

namespace ridgepoint {

ExitCode exit_code_for(const Error& error) {
  switch (error.domain) {
    case ErrorDomain::usage:
    case ErrorDomain::output:
      return ExitCode::usage;
    case ErrorDomain::input:
      return ExitCode::input;
    case ErrorDomain::device:
      return ExitCode::device;
    case ErrorDomain::program:
      return ExitCode::program_failed;
    case ErrorDomain::verdict:
    case ErrorDomain::internal:
      return ExitCode::no_verdict;
  }
  return ExitCode::no_verdict;
}

std::string format_error(const Error& error) {
  std::string text = "error: " + printable(error.what);
  if (!error.why.empty()) {
    text += ": " + printable(error.why);
  }
  if (!error.hint.empty()) {
    text += "\nhint: " + printable(error.hint);
  }
  return text;
}

}  // namespace ridgepoint
