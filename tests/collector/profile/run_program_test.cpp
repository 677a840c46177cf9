#include "collector/profile/run_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace ridgepoint::collector {
namespace {

using ::testing::HasSubstr;

TEST(RunProgram, SaysWhatIsTooLongForAProgramToBeHanded) {
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& variable) {
    const auto end = run_program(arguments, {{"RIDGEPOINT_TEST", variable}});
    EXPECT_FALSE(end) << "it ran";
    return end ? Error() : end.error();
  };
  const std::string long_word(200000, 'x');
  const Error variable = refused({"true"}, long_word);
  EXPECT_EQ(variable.domain, ErrorDomain::usage);
  EXPECT_THAT(variable.why, HasSubstr("200000 bytes (RIDGEPOINT_TEST)"));
  EXPECT_THAT(variable.hint, HasSubstr("-c"));
  const Error argument = refused({"true", "short", long_word}, "");
  EXPECT_THAT(argument.why, HasSubstr("argument 2 has 200000 bytes"));
  std::vector<std::string> many(81, std::string(100000, 'x'));
  many[0] = "true";
  EXPECT_THAT(refused(many, "").why, HasSubstr("80 arguments (8000085 bytes)"));
}

TEST(RunProgram, LeavesNoVariableBehind) {
  ASSERT_TRUE(run_program({"true"}, {{"RIDGEPOINT_TEST", "set"}}));
  EXPECT_EQ(getenv("RIDGEPOINT_TEST"), nullptr);
}

}  // namespace
}  // namespace ridgepoint::collector
