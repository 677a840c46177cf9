// QApplication is made when the first test starts, so that --gtest_list_tests, which ctest calls to
// find the tests, needs no display. Settings and the runtime folder go to a folder of this run.
#include <gtest/gtest.h>

#include <QApplication>
#include <QStandardPaths>
#include <memory>

#include "gui/app/application.h"
#include "gui/theme/theme.h"
#include "tests/support/temp_dir.h"

namespace {

class QtEnvironment : public testing::EmptyTestEventListener {
 public:
  QtEnvironment(int& argc, char** argv) : argc_(argc), argv_(argv) {}

  void OnTestProgramStart(const testing::UnitTest&) override {
    const QByteArray folder = QByteArray::fromStdString(home_.path().string());
    for (const char* name : {"HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) {
      qputenv(name, folder);  // mkdtemp made it 0700, as Qt demands of the runtime folder
    }
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
      qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    app_ = std::make_unique<QApplication>(argc_, argv_);
    ridgepoint::gui::prepareApplication(*app_);
    ridgepoint::gui::applyTheme(*app_, ridgepoint::gui::ThemeChoice::light);
  }
  void OnTestProgramEnd(const testing::UnitTest&) override { app_.reset(); }

 private:
  ridgepoint::test::TempDir home_;
  int& argc_;
  char** argv_;
  std::unique_ptr<QApplication> app_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new QtEnvironment(argc, argv));
  return RUN_ALL_TESTS();
}
