// What tests of the window share: every Qt warning fails the test, and helpers that wait for and
// find what a user would see.
#pragma once

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QString>
#include <QTest>
#include <QWidget>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "gui/app/main_window.h"
#include "gui/models/analysis_ptr.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint::gui {

class GuiTest : public testing::Test {
 protected:
  GuiTest();
  ~GuiTest() override;

  const test::TempDir& folder() const { return folder_; }
  QString pathOf(const char* name) const;
  // Writes a file into the test's folder and gives its path.
  QString write(const char* name, const QByteArray& bytes) const;

 private:
  test::TempDir folder_;
};

// A real recording of naive against fused attention on an H200.
QString recording();
AnalysisPtr sampleAnalysis();
AnalysisPtr sparseAnalysis();
// Loads at once, whatever the path.
LoadFunction always(AnalysisPtr analysis);

bool waitUntil(const std::function<bool()>& condition, int milliseconds = 20000);

// The only widget of that type and object name below `root`; fails the test when there is none.
template <class Widget>
Widget& find(const QObject& root, const char* name) {
  auto* found = root.findChild<Widget*>(QString::fromLatin1(name));
  if (found == nullptr) {
    throw std::runtime_error(std::string("no widget named ") + name);
  }
  return *found;
}

// The table of a dock, by the dock's id.
template <class Widget>
Widget& findIn(const QObject& root, const char* dock, const char* name) {
  return find<Widget>(find<QWidget>(root, dock), name);
}

// A window of 1440 x 900 that shows `path`, once it is loaded and laid out.
std::unique_ptr<MainWindow> openWindow(const QString& path, LoadFunction load = loadSession);

}  // namespace ridgepoint::gui
