#include "gui/app/screenshot.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <QFile>
#include <QFileInfo>

#include "tests/gui/support/gui_test.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint::gui {
namespace {

using testing::HasSubstr;

class ScreenshotTest : public GuiTest {
 protected:
  static ProgramOptions of(const QString& file, const QString& picture, bool force = false) {
    ProgramOptions options;
    options.file = file;
    options.screenshot = picture;
    options.force = force;
    return options;
  }
  static std::string refusal(const ProgramOptions& options) {
    const Status status = takeScreenshot(options);
    EXPECT_FALSE(status.has_value());
    if (status) {
      return {};
    }
    EXPECT_EQ(exit_code_for(status.error()), ExitCode::usage);
    return format_error(status.error());
  }
  static QByteArray bytesOf(const QString& path) {
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    return file.readAll();
  }
};

TEST_F(ScreenshotTest, IsAsLargeAsAskedFor) {
  for (const QSize size : {QSize(1440, 900), QSize(1024, 768)}) {
    ProgramOptions options = of(recording(), pathOf("window.png"), true);
    options.size = size;
    const Status status = takeScreenshot(options);
    ASSERT_TRUE(status.has_value()) << format_error(status.error());
    EXPECT_EQ(QImage(pathOf("window.png")).size(), size);
  }
}

TEST_F(ScreenshotTest, ReplacesAFileOnlyWhenToldTo) {
  const QString picture = write("window.png", "kept");
  EXPECT_THAT(refusal(of(recording(), picture)), HasSubstr("--force"));
  EXPECT_EQ(bytesOf(picture), "kept");
  ASSERT_TRUE(takeScreenshot(of(recording(), picture, true)).has_value());
  EXPECT_FALSE(QImage(picture).isNull());
}

TEST_F(ScreenshotTest, NeverReplacesTheSessionThatItShows) {
  const QByteArray session = bytesOf(recording());
  const QString file = write("session.png", session);  // a name that ends like a picture's
  for (const bool force : {false, true}) {
    EXPECT_NE(refusal(of(file, file, force)), "");
    EXPECT_EQ(bytesOf(file), session);
  }
}

TEST_F(ScreenshotTest, NeverWritesThroughALinkOrIntoAPipe) {
  const QString target = write("target", "kept");
  const QString link = pathOf("link.png");
  ASSERT_TRUE(QFile::link(target, link));
  const QString dangling = pathOf("dangling.png");
  ASSERT_TRUE(QFile::link(pathOf("nothing"), dangling));
  const QString pipe = pathOf("pipe.png");
  ASSERT_EQ(mkfifo(qPrintable(pipe), 0600), 0);
  for (const QString& path : {link, dangling, pipe}) {
    for (const bool force : {false, true}) {
      EXPECT_THAT(refusal(of(recording(), path, force)), HasSubstr(path.toStdString()));
    }
  }
  EXPECT_EQ(bytesOf(target), "kept");
  EXPECT_FALSE(QFileInfo::exists(pathOf("nothing")));
}

TEST_F(ScreenshotTest, SaysThatTheWindowCannotBeSoSmall) {
  ProgramOptions options = of(recording(), pathOf("window.png"));
  options.size = QSize(320, 320);
  EXPECT_THAT(refusal(options), HasSubstr("the window needs at least"));
  EXPECT_FALSE(QFileInfo::exists(pathOf("window.png")));
}

}  // namespace
}  // namespace ridgepoint::gui
