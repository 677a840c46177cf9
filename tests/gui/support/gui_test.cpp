#include "tests/gui/support/gui_test.h"

#include <QFile>
#include <QSettings>

#include "tests/support/sample_analysis.h"

namespace ridgepoint::gui {
namespace {

// All come from Qt itself: what the offscreen platform cannot do to a window (size hints) or to a
// tooltip (raise), and QSvgGenerator on a font that is sized in points.
bool expected(const QString& message) {
  return message.contains(QLatin1String("This plugin does not support propagateSizeHints()")) ||
         message.contains(QLatin1String("This plugin does not support raise()")) ||
         message.contains(QLatin1String("QFont::setPixelSize: Pixel size <= 0"));
}

void failOnWarning(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type != QtDebugMsg && type != QtInfoMsg && !expected(message)) {
    ADD_FAILURE() << "Qt warned: " << message.toStdString();
  }
}

}  // namespace

GuiTest::GuiTest() {
  QSettings().clear();
  qInstallMessageHandler(failOnWarning);
}

GuiTest::~GuiTest() {
  qInstallMessageHandler(nullptr);
}

QString GuiTest::pathOf(const char* name) const {
  return QString::fromStdString((folder_ / name).string());
}

QString GuiTest::write(const char* name, const QByteArray& bytes) const {
  QFile file(pathOf(name));
  EXPECT_TRUE(file.open(QIODevice::WriteOnly));
  EXPECT_EQ(file.write(bytes), bytes.size());
  return file.fileName();
}

QString recording() {
  return QStringLiteral(RIDGEPOINT_SOURCE_DIR "/tests/gui/recordings/attention_small.ridge");
}

AnalysisPtr sampleAnalysis() {
  return std::make_shared<const Analysis>(test_support::sample_analysis());
}

AnalysisPtr sparseAnalysis() {
  return std::make_shared<const Analysis>(test_support::sparse_analysis());
}

LoadFunction always(AnalysisPtr analysis) {
  return [analysis](const QString&) -> LoadResult { return analysis; };
}

bool waitUntil(const std::function<bool()>& condition, int milliseconds) {
  return QTest::qWaitFor(condition, milliseconds);
}

std::unique_ptr<MainWindow> openWindow(const QString& path, LoadFunction load) {
  MainWindow::Options options;
  options.load = std::move(load);
  auto window = std::make_unique<MainWindow>(options);
  window->resize(1440, 900);
  window->show();
  window->openFile(path);
  EXPECT_TRUE(waitUntil([&] { return !window->loader().busy(); }));
  EXPECT_EQ(window->currentFile(), path);
  QTest::qWait(50);  // lets layouts settle
  return window;
}

}  // namespace ridgepoint::gui
