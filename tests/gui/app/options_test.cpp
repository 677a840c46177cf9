#include "gui/app/options.h"

#include <gmock/gmock.h>

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
