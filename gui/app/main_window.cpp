// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/main_window.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "gui/app/busy_bar.h"
#include "gui/app/export_chart.h"
#include "gui/app/export_report.h"
#include "gui/app/message_bar.h"
#include "gui/app/recent_files.h"
#include "gui/app/start_page.h"
#include "gui/app/workspace.h"
#include "gui/roofline/roofline_chart.h"
#include "gui/roofline/roofline_view.h"
#include "gui/views/summary_header.h"

namespace ridgepoint::gui {
namespace {

const QString geometry_key = QStringLiteral("window/geometry");
const QString layout_key = QStringLiteral("window/layout");

QString droppedFile(const QMimeData* data) {
  const QList<QUrl> urls = data->urls();
  return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

}  // namespace

MainWindow::MainWindow(const Options& options)
    : options_(options), loader_(new DocumentLoader(this, options.load)) {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowTitle(tr("Ridgepoint"));
  setAcceptDrops(true);
  resize(1440, 900);
  buildPages();
  buildFileMenu();
  buildViewMenu();
  buildHelpMenu();
  followLoader();
  if (options_.use_settings) {
    restoreSettings();
    start_->setRecentFiles(RecentFiles::list());
  }
}

void MainWindow::buildPages() {
  auto* page = new QWidget(this);
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(8, 2, 8, 8);
  layout->setSpacing(6);
  messages_ = new MessageBar(page);
  busy_ = new BusyBar(page);
  pages_ = new QStackedWidget(page);
  start_ = new StartPage(pages_);
  auto* document = new QWidget(pages_);
  auto* inside = new QVBoxLayout(document);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(6);
  workspace_ = new Workspace(document);
  summary_ = new SummaryHeader(workspace_->selection(), document);
  inside->addWidget(summary_);
  inside->addWidget(workspace_, 1);
  pages_->addWidget(start_);
  pages_->addWidget(document);
  layout->addWidget(messages_);
  layout->addWidget(busy_);
  layout->addWidget(pages_, 1);
  setCentralWidget(page);
  connect(start_, &StartPage::openRequested, this, &MainWindow::chooseFile);
  connect(start_, &StartPage::fileRequested, this, &MainWindow::openFile);
  connect(busy_, &BusyBar::stopRequested, loader_, &DocumentLoader::cancel);
  connect(summary_, &SummaryHeader::issuesRequested, this,
          [this] { workspace_->raiseView(QStringLiteral("session")); });
  connect(summary_, &SummaryHeader::variantsRequested, this,
          [this] { workspace_->raiseView(QStringLiteral("variants")); });
}

void MainWindow::followLoader() {
  connect(loader_, &DocumentLoader::started, this, [this](const QString& path) {
    busy_->setFile(path);
    busy_->show();
    messages_->dismiss();
  });
  connect(loader_, &DocumentLoader::finished, this, &MainWindow::showDocument);
  connect(loader_, &DocumentLoader::failed, this, [this](const QString&, const Error& error) {
    busy_->hide();
    messages_->showError(error);
  });
  connect(loader_, &DocumentLoader::cancelled, this, [this](const QString& path) {
    busy_->hide();
    messages_->showNote(tr("Stopped reading %1").arg(QFileInfo(path).fileName()));
  });
}

void MainWindow::showDocument(const QString& path, const AnalysisPtr& analysis) {
  busy_->hide();
  current_file_ = path;
  workspace_->setAnalysis(analysis);
  summary_->setAnalysis(analysis);
  pages_->setCurrentIndex(1);
  for (QAction* action : document_actions_) {
    action->setEnabled(true);
  }
  setWindowFilePath(path);
  setWindowTitle(tr("%1 \u2013 Ridgepoint").arg(QFileInfo(path).fileName()));
  if (options_.use_settings) {
    RecentFiles::add(path);
    start_->setRecentFiles(RecentFiles::list());
  }
}

void MainWindow::openFile(const QString& path) {
  loader_->load(path);
}

void MainWindow::reload() {
  if (!current_file_.isEmpty()) {
    loader_->load(current_file_);
  }
}

void MainWindow::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open session"), QFileInfo(current_file_).absolutePath(),
      tr("Sessions (*.ridge *.json *.journal);;All files (*)"));
  if (!path.isEmpty()) {
    openFile(path);
  }
}

void MainWindow::report(const Status& status, const QString& done) {
  if (status) {
    messages_->showNote(done);
  } else {
    messages_->showError(status.error());
  }
}

// The file dialog has asked whether an existing file may be replaced.
ExportTarget MainWindow::exportTarget(const QString& path) const {
  return {path, current_file_, true};
}

void MainWindow::exportChartTo(const QString& path) {
  report(exportChart(workspace_->roofline().chart(), exportTarget(path)),
         tr("Chart written to %1").arg(path));
}

void MainWindow::exportReportTo(const QString& format, const QString& path) {
  if (const AnalysisPtr analysis = workspace_->analysis()) {
    report(exportReport(*analysis, format, exportTarget(path)),
           tr("Report written to %1").arg(path));
  }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!droppedFile(event->mimeData()).isEmpty()) {
    event->acceptProposedAction();
  }
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString path = droppedFile(event->mimeData());
  if (!path.isEmpty()) {
    event->acceptProposedAction();
    openFile(path);
  }
}

void MainWindow::restoreSettings() {
  const QSettings settings;
  restoreGeometry(settings.value(geometry_key).toByteArray());
  workspace_->restoreLayout(settings.value(layout_key).toByteArray());
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (options_.use_settings) {
    QSettings settings;
    settings.setValue(geometry_key, saveGeometry());
    settings.setValue(layout_key, workspace_->saveLayout());
  }
  QMainWindow::closeEvent(event);
}

}  // namespace ridgepoint::gui
