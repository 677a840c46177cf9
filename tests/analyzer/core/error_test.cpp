#include "analyzer/core/error.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

TEST(Error, IsOneLineAndAHintOnTheNext) {
  const Error error{ErrorDomain::input, 0, "opening run.ridge", "it is empty", "record it again"};
  EXPECT_EQ(format_error(error), "error: opening run.ridge: it is empty\nhint: record it again");
}

TEST(Error, WithoutHintIsOneLine) {
  EXPECT_EQ(format_error({ErrorDomain::input, 0, "opening x", "it is empty", ""}),
            "error: opening x: it is empty");
}

TEST(Error, CannotSteerTheTerminal) {
  const Error error{ErrorDomain::input, 0, "opening \x1b[31mred", "two\nlines", ""};
  EXPECT_EQ(format_error(error), "error: opening ?[31mred: two?lines");
}

TEST(Error, DomainsHaveTheDocumentedExitCodes) {
  const auto code = [](ErrorDomain domain) {
    return static_cast<int>(exit_code_for({domain, 0, "", "", ""}));
  };
  EXPECT_EQ(code(ErrorDomain::verdict), 2);
  EXPECT_EQ(code(ErrorDomain::usage), 3);
  EXPECT_EQ(code(ErrorDomain::output), 3);
  EXPECT_EQ(code(ErrorDomain::input), 4);
  EXPECT_EQ(code(ErrorDomain::device), 5);
  EXPECT_EQ(code(ErrorDomain::program), 6);
}

}  // namespace
}  // namespace ridgepoint
