// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>

#include "gui/app/export_report.h"
#include "gui/app/main_window.h"
#include "gui/app/recent_files.h"
#include "gui/app/start_page.h"
#include "gui/app/theme_setting.h"
#include "gui/app/workspace.h"
#include "gui/roofline/roofline_chart.h"
#include "gui/roofline/roofline_view.h"

namespace ridgepoint::gui {

void MainWindow::buildFileMenu() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  QAction* open = file->addAction(tr("&Open\u2026"), this, &MainWindow::chooseFile);
  open->setShortcut(QKeySequence::Open);
  QMenu* recent = file->addMenu(tr("Open &Recent"));
  recent->setObjectName(QStringLiteral("recentMenu"));
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
  QAction* again = file->addAction(tr("Re&load"), this, &MainWindow::reload);
  again->setObjectName(QStringLiteral("reload"));
  again->setShortcut(QKeySequence(Qt::Key_F5));
  document_actions_ << again;
  QAction* stop = file->addAction(tr("&Stop reading"), loader_, &DocumentLoader::cancel);
  stop->setObjectName(QStringLiteral("stop"));
  stop->setShortcut(QKeySequence(Qt::Key_Escape));
  stop->setEnabled(false);
  connect(loader_, &DocumentLoader::started, stop, [stop] { stop->setEnabled(true); });
  connect(loader_, &DocumentLoader::cancelled, stop, [stop] { stop->setEnabled(false); });
  connect(loader_, &DocumentLoader::finished, stop, [stop] { stop->setEnabled(false); });
  connect(loader_, &DocumentLoader::failed, stop, [stop] { stop->setEnabled(false); });
  file->addSeparator();
  buildExportMenu(file->addMenu(tr("&Export")));
  file->addSeparator();
  QAction* quit = file->addAction(tr("&Quit"), this, &QWidget::close);
  quit->setShortcut(QKeySequence::Quit);
  for (QAction* action : document_actions_) {
    action->setEnabled(false);
  }
}

void MainWindow::fillRecentMenu(QMenu* menu) {
  menu->clear();
  const QStringList files = RecentFiles::list();
  for (const QString& path : files) {
    // An ampersand in a file name is no mnemonic.
    QString text = path;
    menu->addAction(text.replace(QLatin1Char('&'), QLatin1String("&&")), this,
                    [this, path] { openFile(path); });
  }
  if (files.isEmpty()) {
    menu->addAction(tr("No file was opened yet"))->setEnabled(false);
    return;
  }
  menu->addSeparator();
  menu->addAction(tr("&Clear the list"), this, [this] {
    RecentFiles::clear();
    start_->setRecentFiles({});
  });
}

void MainWindow::buildExportMenu(QMenu* menu) {
  const auto add = [&](const QString& text, const QString& extension, auto write) {
    QAction* action = menu->addAction(text, this, [this, extension, write] {
      const QFileInfo info(current_file_);
      const QString path = QFileDialog::getSaveFileName(
          this, tr("Export"),
          info.absolutePath() + QLatin1Char('/') + info.completeBaseName() + extension,
          tr("*%1").arg(extension));
      if (!path.isEmpty()) {
        write(path);
      }
    });
    document_actions_ << action;
  };
  add(tr("Chart as shown (&PNG)\u2026"), QStringLiteral(".png"),
      [this](const QString& path) { exportChartTo(path); });
  add(tr("Chart as shown (S&VG)\u2026"), QStringLiteral(".svg"),
      [this](const QString& path) { exportChartTo(path); });
  menu->addSeparator();
  for (const ExportFormat& format : exportFormats()) {
    add(tr("Report: %1\u2026").arg(format.name), format.extension,
        [this, name = format.name](const QString& path) { exportReportTo(name, path); });
    menu->actions().constLast()->setToolTip(format.description);
  }
  menu->setToolTipsVisible(true);
}

void MainWindow::buildViewMenu() {
  QMenu* view = menuBar()->addMenu(tr("&View"));
  int number = 1;
  for (QAction* action : workspace_->viewActions()) {
    view->addAction(action);
    // Ctrl+1.. brings a view to the front; the menu entry itself shows and hides it.
    auto* raise = new QAction(this);
    raise->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number++)));
    action->setText(QStringLiteral("%1\t%2").arg(
        action->text(), raise->shortcut().toString(QKeySequence::NativeText)));
    const QString id = action->parent()->objectName();
    connect(raise, &QAction::triggered, this, [this, id] { workspace_->raiseView(id); });
    addAction(raise);
  }
  view->addSeparator();
  view->addAction(tr("Restore &default layout"), workspace_, &Workspace::restoreDefaultLayout);
  view->addAction(tr("Reset &zoom"), this, [this] { workspace_->roofline().chart().resetZoom(); })
      ->setShortcut(QKeySequence(tr("Ctrl+0")));
  view->addAction(tr("&Clear selection"), this,
                  [this] { workspace_->selection().select(std::nullopt); })
      ->setShortcut(QKeySequence(tr("Ctrl+Shift+A")));
  view->addSeparator();
  QMenu* colours = view->addMenu(tr("&Theme"));
  auto* group = new QActionGroup(this);
  const std::pair<ThemeChoice, QString> choices[] = {{ThemeChoice::system, tr("&System")},
                                                     {ThemeChoice::light, tr("&Light")},
                                                     {ThemeChoice::dark, tr("&Dark")}};
  for (const auto& [choice, text] : choices) {
    QAction* action = colours->addAction(text);
    action->setCheckable(true);
    action->setChecked(choice == themeSetting());
    group->addAction(action);
    connect(action, &QAction::triggered, this, [choice = choice] {
      setThemeSetting(choice);
      applyTheme(*qApp, choice);
    });
  }
}

void MainWindow::buildHelpMenu() {
  QMenu* help = menuBar()->addMenu(tr("&Help"));
  help->addAction(tr("About &Qt"), qApp, &QApplication::aboutQt);
}

}  // namespace ridgepoint::gui
