// The program as a process: what a user sees before there is a window.
#include <gmock/gmock.h>

#include <QProcess>

#include "tests/gui/support/gui_test.h"

namespace ridgepoint::gui {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class ProgramTest : public GuiTest {
 protected:
  struct Ended {
    QProcess::ExitStatus how = QProcess::CrashExit;
    int code = -1;
    std::string standard_error;
  };

  static Ended startWithoutDisplay(const QStringList& arguments, const QString& platform = {}) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
      environment.remove(QLatin1String(name));
    }
    if (!platform.isNull()) {
      environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
    }
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(RIDGEPOINT_BIN_DIR "/ridgepoint-gui"), arguments);
    EXPECT_TRUE(program.waitForFinished());
    return {program.exitStatus(), program.exitCode(), program.readAllStandardError().toStdString()};
  }
};

TEST_F(ProgramTest, SaysThatThereIsNoDisplayInsteadOfAborting) {
  for (const char* platform : {"", "xcb", "nonsense"}) {
    const Ended ended = startWithoutDisplay({recording()}, QLatin1String(platform));
    EXPECT_EQ(ended.how, QProcess::NormalExit) << platform;
    EXPECT_EQ(ended.code, 5) << platform;
    EXPECT_THAT(ended.standard_error,
                AllOf(StartsWith("error: opening the window: there is no display"),
                      HasSubstr("hint: "), HasSubstr("--format html")));
  }
}

TEST_F(ProgramTest, LooksAtTheFileBeforeItAsksForADisplay) {
  for (const QString& path : {pathOf("absent.ridge"), pathOf(".")}) {
    const Ended ended = startWithoutDisplay({path});
    EXPECT_EQ(ended.how, QProcess::NormalExit);
    EXPECT_EQ(ended.code, 4);
    EXPECT_THAT(ended.standard_error, StartsWith("error: opening " + path.toStdString()));
  }
}

TEST_F(ProgramTest, TakesAPictureWithoutADisplay) {
  const QString picture = pathOf("window.png");
  const Ended ended = startWithoutDisplay({recording(), QStringLiteral("--screenshot"), picture});
  EXPECT_EQ(ended.code, 0) << ended.standard_error;
  EXPECT_EQ(QImage(picture).size(), QSize(1440, 900));
  EXPECT_EQ(ended.standard_error, "");
}

// A shell script may set the variable to nothing.
TEST_F(ProgramTest, TakesAPictureWhereNoPlatformIsNamedAndWarnsOfNothing) {
  const QString picture = pathOf("window.png");
  const Ended ended = startWithoutDisplay({recording(), QStringLiteral("--screenshot"), picture},
                                          QLatin1String(""));
  EXPECT_EQ(ended.code, 0) << ended.standard_error;
  EXPECT_EQ(ended.standard_error, "");
}

TEST_F(ProgramTest, StillSaysWhyThereIsNoPicture) {
  const Ended ended =
      startWithoutDisplay({recording(), QStringLiteral("--screenshot"), pathOf("a.png"),
                           QStringLiteral("--select"), QStringLiteral("absent")});
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.standard_error,
              HasSubstr("error: selecting a kernel: no kernel is named absent"));
}

}  // namespace
}  // namespace ridgepoint::gui
