// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/application.h"

#include <QApplication>
#include <QFileInfo>
#include <QIcon>
#include <QStringList>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "gui/app/document_loader.h"

// Resources of a static library are not linked in by themselves; the macro must stand outside
// namespaces.
static void initialiseResources() {
  Q_INIT_RESOURCE(ridgepoint_gui);
}

namespace ridgepoint::gui {
namespace {

// A message handler takes no context of its own.
QStringList& heldWarnings() {
  static QStringList warnings;
  return warnings;
}

void holdOrEnd(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type != QtFatalMsg) {
    heldWarnings() << message.trimmed();
    return;
  }
  // The first warning names the cause; the fatal message only lists the plugins that exist.
  const QString cause = heldWarnings().isEmpty() ? message.trimmed() : heldWarnings().first();
  const Error error{ErrorDomain::device, 0, "opening the window",
                    "there is no display (" + cause.toStdString() + ")",
                    "`ridgepoint report FILE --format html` needs none, nor does `ridgepoint-gui "
                    "FILE --screenshot FILE.png`"};
  std::fprintf(stderr, "%s\n", format_error(error).c_str());
  std::_Exit(static_cast<int>(exit_code_for(error)));
}

}  // namespace

Status checkFile(const QString& path) {
  const QFileInfo info(path);
  if (info.isFile() && info.isReadable()) {
    return {};
  }
  const LoadResult refused = loadSession(path);
  return refused ? Status() : tl::make_unexpected(refused.error());
}

DisplayGuard::DisplayGuard() : previous_(qInstallMessageHandler(holdOrEnd)) {}

DisplayGuard::~DisplayGuard() {
  qInstallMessageHandler(previous_);
  for (const QString& warning : std::exchange(heldWarnings(), {})) {
    qWarning("%s", qPrintable(warning));
  }
}

void prepareApplication(QApplication&) {
  initialiseResources();
  QCoreApplication::setOrganizationName(QStringLiteral("Ridgepoint"));
  QCoreApplication::setApplicationName(QStringLiteral("Ridgepoint"));
  QCoreApplication::setApplicationVersion(QStringLiteral(RIDGEPOINT_VERSION));
  QGuiApplication::setDesktopFileName(QStringLiteral("ridgepoint"));
  QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/ridgepoint/ridgepoint.svg")));
}

}  // namespace ridgepoint::gui
