// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/application.h"

#include <QApplication>
#include <QIcon>

// Resources of a static library are not linked in by themselves; the macro must stand outside
// namespaces.
static void initialiseResources() {
  Q_INIT_RESOURCE(ridgepoint_gui);
}

namespace ridgepoint::gui {

void prepareApplication(QApplication&) {
  initialiseResources();
  QCoreApplication::setOrganizationName(QStringLiteral("Ridgepoint"));
  QCoreApplication::setApplicationName(QStringLiteral("Ridgepoint"));
  QCoreApplication::setApplicationVersion(QStringLiteral(RIDGEPOINT_VERSION));
  QGuiApplication::setDesktopFileName(QStringLiteral("ridgepoint"));
  QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/ridgepoint/ridgepoint.svg")));
}

}  // namespace ridgepoint::gui
