// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/screenshot.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QEventLoop>
#include <QPixmap>
#include <string>

#include "gui/app/main_window.h"
#include "gui/app/workspace.h"
#include "gui/app/write_export.h"

namespace ridgepoint::gui {
namespace {

Status openAndWait(MainWindow& window, const QString& path) {
  Status status;
  QEventLoop loop;
  QObject::connect(&window.loader(), &DocumentLoader::finished, &loop, &QEventLoop::quit);
  QObject::connect(&window.loader(), &DocumentLoader::failed, &loop,
                   [&](const QString&, const Error& error) {
                     status = tl::make_unexpected(error);
                     loop.quit();
                   });
  window.openFile(path);
  loop.exec();
  return status;
}

Status selectKernel(Workspace& workspace, const QString& name) {
  const AnalysisPtr analysis = workspace.analysis();
  for (std::size_t i = 0; analysis && i < analysis->kernels.size(); ++i) {
    if (analysis->kernels[i].short_name == name.toStdString()) {
      workspace.selection().select(i);
      return {};
    }
  }
  return fail(ErrorDomain::usage, "selecting a kernel", "no kernel is named " + name.toStdString());
}

}  // namespace

Status takeScreenshot(const ProgramOptions& options) {
  const ExportTarget target{options.screenshot, options.file, options.force};
  if (Status allowed = checkExport(target); !allowed) {
    return allowed;
  }
  MainWindow::Options window_options;
  window_options.use_settings = false;
  MainWindow window(window_options);
  window.resize(options.size);
  window.show();
  if (!options.file.isEmpty()) {
    if (Status opened = openAndWait(window, options.file); !opened) {
      return opened;
    }
  }
  if (!options.select.isEmpty()) {
    if (Status selected = selectKernel(window.workspace(), options.select); !selected) {
      return selected;
    }
  }
  if (!options.view.isEmpty()) {
    window.workspace().raiseView(options.view);
  }
  // Layouts settle over a few rounds of events: docks first, then what wraps by their width.
  for (int round = 0; round < 5; ++round) {
    QCoreApplication::processEvents();
  }
  if (window.width() > options.size.width() || window.height() > options.size.height()) {
    return fail(ErrorDomain::usage, "taking the screenshot",
                "the window needs at least " + std::to_string(window.width()) + "x" +
                    std::to_string(window.height()),
                "give a larger --size");
  }
  QByteArray bytes;
  QBuffer buffer(&bytes);
  if (!window.grab().save(&buffer, "PNG")) {
    return fail(ErrorDomain::internal, "taking the screenshot", "the image could not be encoded");
  }
  return writeExport(target, bytes);
}

}  // namespace ridgepoint::gui
