// The one error type of all libraries. Errors are values; they are printed once, at the edge (cli,
// gui).
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace ridgepoint {

// Which part of the world refused. Decides the exit code (DESIGN of the command line:
// docs/architecture.md).
enum class ErrorDomain {
  usage,     // the command line or an option value
  input,     // a file that cannot be read as what it should be
  output,    // a file that cannot be written, or would be overwritten
  device,    // driver, permission, missing or unsupported GPU (CUDA, CUPTI, NVML)
  program,   // the profiled program failed
  verdict,   // nothing to judge, or it could not be measured
  internal,  // a broken promise of our own
};

struct Error {
  ErrorDomain domain = ErrorDomain::internal;
  int code =
      0;  // the failing API's own number (CUresult, CUptiResult, errno), 0 when there is none
  std::string what;  // what was being done: "opening run.ridge"
  std::string why;   // why it failed: "it ends after 4,096 bytes, in the middle of the launches"
  std::string hint;  // what to do about it; may be empty
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> fail(ErrorDomain domain, std::string what, std::string why,
                                  std::string hint = {}, int code = 0) {
  return tl::make_unexpected(Error{domain, code, std::move(what), std::move(why), std::move(hint)});
}

enum class ExitCode : int {
  ok = 0,
  regression = 1,
  no_verdict = 2,
  usage = 3,
  input = 4,
  device = 5,
  program_failed = 6,
};

ExitCode exit_code_for(const Error& error);

// "error: what: why" and, when there is one, a second line "hint: ...". No newline at the end.
// Control characters in the texts (they may come from files) are replaced, so that nothing can
// steer a terminal.
std::string format_error(const Error& error);

}  // namespace ridgepoint
