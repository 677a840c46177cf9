// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>

#include "gui/app/document_loader.h"
#include "gui/app/write_export.h"

class QMenu;
class QStackedWidget;

namespace ridgepoint::gui {

class BusyBar;
class MessageBar;
class StartPage;
class SummaryHeader;
class Workspace;

// The window: start page or workspace, messages above it, files and menus around it.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  struct Options {
    LoadFunction load = loadSession;
    // Read and write geometry, layout and recent files; off for screenshots.
    bool use_settings = true;
  };

  explicit MainWindow(const Options& options);

  void openFile(const QString& path);
  void reload();
  void exportChartTo(const QString& path);
  void exportReportTo(const QString& format, const QString& path);

  DocumentLoader& loader() { return *loader_; }
  Workspace& workspace() { return *workspace_; }
  MessageBar& messages() { return *messages_; }
  QString currentFile() const { return current_file_; }

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void buildPages();
  void buildFileMenu();
  void buildExportMenu(QMenu* menu);
  void buildViewMenu();
  void buildHelpMenu();
  void followLoader();
  void fillRecentMenu(QMenu* menu);
  void chooseFile();
  ExportTarget exportTarget(const QString& path) const;
  void report(const Status& status, const QString& done);
  void showDocument(const QString& path, const AnalysisPtr& analysis);
  void restoreSettings();

  Options options_;
  DocumentLoader* loader_;
  QStackedWidget* pages_ = nullptr;
  StartPage* start_ = nullptr;
  Workspace* workspace_ = nullptr;
  SummaryHeader* summary_ = nullptr;
  MessageBar* messages_ = nullptr;
  BusyBar* busy_ = nullptr;
  QList<QAction*> document_actions_;  // enabled while a document is shown
  QString current_file_;
};

}  // namespace ridgepoint::gui
