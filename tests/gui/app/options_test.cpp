#include "gui/app/options.h"

#include <gmock/gmock.h>

#include <iterator>
#include <sstream>

namespace ridgepoint::gui {
namespace {

using testing::HasSubstr;

std::variant<ProgramOptions, ProgramExit> parse(std::vector<const char*> words) {
  words.insert(words.begin(), "ridgepoint-gui");
  return parseOptions(static_cast<int>(words.size()), words.data());
}

TEST(Options, TakeAFile) {
  const auto options = std::get<ProgramOptions>(parse({"run.ridge"}));
  EXPECT_EQ(options.file, QLatin1String("run.ridge"));
  EXPECT_TRUE(options.screenshot.isEmpty());
  EXPECT_FALSE(options.theme.has_value());
}

TEST(Options, DescribeAScreenshot) {
  const auto options = std::get<ProgramOptions>(
      parse({"run.ridge", "--screenshot", "a.png", "--size", "1280x800", "--theme", "dark"}));
  EXPECT_EQ(options.screenshot, QLatin1String("a.png"));
  EXPECT_EQ(options.size, QSize(1280, 800));
  EXPECT_EQ(options.theme, ThemeChoice::dark);
}

TEST(Options, ReplaceAPictureOnlyWhenAsked) {
  EXPECT_FALSE(std::get<ProgramOptions>(parse({"a.ridge", "--screenshot", "a.png"})).force);
  EXPECT_TRUE(
      std::get<ProgramOptions>(parse({"a.ridge", "--screenshot", "a.PNG", "--force"})).force);
}

TEST(Options, HelpAndVersionEndWell) {
  const auto help = std::get<ProgramExit>(parse({"--help"}));
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.text, HasSubstr("--screenshot"));
  EXPECT_THAT(std::get<ProgramExit>(parse({"--version"})).text, HasSubstr("ridgepoint-gui "));
}

TEST(Options, HelpNamesValuesAsTheyAreTypedAndHasExamples) {
  const std::string help = std::get<ProgramExit>(parse({"--help"})).text;
  EXPECT_THAT(help, HasSubstr("--theme system|light|dark"));
  EXPECT_THAT(help, HasSubstr("default: 1440x900"));
  EXPECT_THAT(help, HasSubstr("--view NAME"));
  EXPECT_THAT(help, HasSubstr("Examples:\n  ridgepoint-gui run.ridge\n"));
  for (const char* raw : {"TEXT", ":{", "WxH="}) {
    EXPECT_THAT(help, testing::Not(HasSubstr(raw)));
  }
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(Options, ExamplesOfTheHelpAreTakenAsTheyStand) {
  const std::string help = std::get<ProgramExit>(parse({"--help"})).text;
  std::istringstream lines(help.substr(help.find("Examples:")));
  int taken = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream text(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    if (words.empty() || words[0] != "ridgepoint-gui") {
      continue;
    }
    std::vector<const char*> pointers;
    for (const std::string& word : words) {
      pointers.push_back(word.c_str());
    }
    const auto parsed = parseOptions(static_cast<int>(pointers.size()), pointers.data());
    EXPECT_TRUE(std::holds_alternative<ProgramOptions>(parsed)) << line;
    ++taken;
  }
  EXPECT_GE(taken, 3);
}

TEST(Options, AWrongChoiceIsAnsweredWithTheRightOnes) {
  EXPECT_THAT(std::get<ProgramExit>(parse({"--theme", "pink"})).text,
              HasSubstr("\"pink\" is none of system, light, dark"));
  EXPECT_THAT(std::get<ProgramExit>(parse({"--view", "pink"})).text, HasSubstr("traffic"));
}

TEST(Options, WrongUseEndsWithTheUsageCode) {
  for (const std::vector<const char*>& words :
       std::vector<std::vector<const char*>>{{"--nonsense"},
                                             {"a", "b"},
                                             {"--theme", "pink"},
                                             {"--view", "pink"},
                                             {"--screenshot", "a.jpg"},
                                             {"--screenshot", "/dev/null"},
                                             {"a.ridge", "--force=true"},
                                             {"a.ridge", "--force="},
                                             {"--help=no"},
                                             {"--version=1"},
                                             {"--size", "wide"},
                                             {"--size", "10x10"},
                                             {"--size", "99999999999x900"}}) {
    const auto end = std::get<ProgramExit>(parse(words));
    EXPECT_EQ(end.code, 3);
    EXPECT_THAT(end.text, testing::StartsWith("error: "));
  }
}

}  // namespace
}  // namespace ridgepoint::gui
