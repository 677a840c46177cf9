// A POSIX extended regular expression. The C library's matcher needs little stack whatever the
// text, which std::regex does not: kernel names run to kilobytes, and the threads of
// a profiled program may be small.
#pragma once

#include <regex.h>

#include <memory>
#include <string>

#include "analyzer/core/error.h"

namespace ridgepoint {

class RegularExpression {
 public:
  // `what` names the option in the error. "regex:" before the expression is left out, for those who
  // are used to Nsight Compute.
  static Result<RegularExpression> compile(const std::string& pattern, const std::string& what);
  // In the first 4,096 bytes of the text.
  bool found_in(const std::string& text) const;

 private:
  struct Free {
    void operator()(regex_t* compiled) const {
      regfree(compiled);
      delete compiled;
    }
  };
  explicit RegularExpression(std::unique_ptr<regex_t, Free> compiled)
      : compiled_(std::move(compiled)) {}
  std::unique_ptr<regex_t, Free> compiled_;
};

}  // namespace ridgepoint
