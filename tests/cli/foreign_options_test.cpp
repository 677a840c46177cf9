// What someone types who knows ncu or nsys.
#include "cli/foreign_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;

class ForeignOptions : public ::testing::Test {
 protected:
  void SetUp() override {
    help = test::run_program({"ridgepoint", "profile", "--help"}).out;
    if (help.find("not in this build") != std::string::npos) {
      GTEST_SKIP() << "built without CUDA: it profiles nothing";
    }
  }
  std::string help;
};

TEST_F(ForeignOptions, AreNamedWithWhatDoesTheSameHere) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> lines = {
      {{"--metrics", "sm__inst_executed.sum"}, "-c A,B,C"},
      {{"--metrics=sm__inst_executed.sum"}, "-c A,B,C"},
      {{"--set", "full"}, "-c full"},
      {{"--section", "SpeedOfLight"}, "-c lite, default or full"},
      {{"--kernel-name", "gemm"}, "-k REGEX"},
      {{"--replay-mode", "application"}, "--replay"},
      {{"--clock-control", "none"}, "clocks are never changed"},
      {{"--profile-from-start", "off"}, "--nvtx REGEX or --launch-skip N"},
      {{"-q", "--nvtx-include", "step/"}, "--nvtx"},
      {{"-f"}, "--force"},
      {{"-qf"}, "--force"},
      {{"-k", "gemm", "-s", "5"}, "--launch-skip"},
      {{"--trace", "cuda,nvtx"}, "-c none"},
      {{"--target-processes", "all"}, "--no-children"},
  };
  const std::regex option("(^|[ ':=])(--[a-z][a-z-]+)");
  for (const auto& [options, here] : lines) {
    std::vector<std::string> words = {"ridgepoint", "profile"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", "true"});
    const auto result = test::run_program(words);
    EXPECT_EQ(result.exit_code, 3) << options[0];
    EXPECT_THAT(result.err, HasSubstr("there is no option \"-")) << options[0];
    EXPECT_EQ(result.err.find("not expected"), std::string::npos) << result.err;
    const std::string hint = result.err.substr(result.err.find("hint: "));
    EXPECT_THAT(hint, HasSubstr(here)) << options[0];
    for (std::sregex_iterator at(hint.begin(), hint.end(), option), end; at != end; ++at) {
      EXPECT_THAT(help, HasSubstr(at->str(2))) << "the hint names an option that there is not";
    }
  }
}

TEST_F(ForeignOptions, AreThoseOfProfileAlone) {
  const auto result = test::run_program({"ridgepoint", "report", "x.ridge", "--metrics", "a"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("there is no option \"--metrics\""));
  EXPECT_EQ(result.err.find("-c A,B,C"), std::string::npos) << result.err;
  EXPECT_EQ(cli::equivalent_of("--bogus"), "");
}

TEST_F(ForeignOptions, AnOptionOfTheProgramWantsTheTwoDashes) {
  const auto result = test::run_program({"ridgepoint", "profile", "./app", "--steps", "10"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("there is no option \"--steps\""));
  EXPECT_THAT(result.err, HasSubstr("ridgepoint profile -- ./app"));
}

TEST_F(ForeignOptions, AWordBeforeTheTwoDashesIsTheOneThatIsWrong) {
  const auto result = test::run_program({"ridgepoint", "profile", "-k", "a", "gemm", "--", "true"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("\"gemm\" is no option"));
}

TEST_F(ForeignOptions, ANumberBehindAFlagIsItsValueWithASign) {
  for (const char* command : {"profile", "attention"}) {
    const auto result =
        test::run_program({"ridgepoint", command, "--pm-sampling", "5", "--", "true"});
    EXPECT_EQ(result.exit_code, 3) << command;
    EXPECT_THAT(result.err, HasSubstr("--pm-sampling takes a value only behind ="));
    EXPECT_THAT(result.err, HasSubstr("hint: write --pm-sampling=5"));
  }
}

TEST_F(ForeignOptions, HelpIsGivenBesideThem) {
  EXPECT_EQ(test::run_program({"ridgepoint", "profile", "--metrics", "--help"}).out, help);
}

// Neither is looked at as options of ours: values of known ones, and all after the two dashes.
TEST_F(ForeignOptions, MayBeValuesAndTheProgramsOwn) {
  const auto value = test::run_program(
      {"ridgepoint", "profile", "--pass-exit-code", "-q", "-k", "--set", "--", "echo", "--set"});
  EXPECT_EQ(value.out, "--set\n") << value.err;
  const auto behind = test::run_program(
      {"ridgepoint", "profile", "--pass-exit-code", "-qkgemm", "--", "echo", "-f"});
  EXPECT_EQ(behind.out, "-f\n") << behind.err;
}

}  // namespace
}  // namespace ridgepoint
