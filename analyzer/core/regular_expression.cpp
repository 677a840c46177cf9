#include "analyzer/core/regular_expression.h"

#include <array>
#include <string_view>

namespace ridgepoint {
namespace {

// Matching takes quadratic time at worst, and a profiled program may be what waits.
constexpr std::size_t longest_text = 4096;

// Nsight Compute's mark of a regular expression, which everything is here.
constexpr std::string_view mark = "regex:";

}  // namespace

Result<RegularExpression> RegularExpression::compile(const std::string& pattern,
                                                     const std::string& what) {
  const std::string expression =
      pattern.rfind(mark, 0) == 0 ? pattern.substr(mark.size()) : pattern;
  auto compiled = std::make_unique<regex_t>();
  const int code = regcomp(compiled.get(), expression.c_str(), REG_EXTENDED | REG_NOSUB);
  if (code != 0) {
    std::array<char, 256> text{};
    regerror(code, compiled.get(), text.data(), text.size());
    return fail(ErrorDomain::usage, what + " " + pattern, text.data(),
                "it is a POSIX extended regular expression, as in grep -E", code);
  }
  return RegularExpression(std::unique_ptr<regex_t, Free>(compiled.release()));
}

bool RegularExpression::found_in(const std::string& text) const {
  return regexec(compiled_.get(), text.substr(0, longest_text).c_str(), 0, nullptr, 0) == 0;
}

}  // namespace ridgepoint
