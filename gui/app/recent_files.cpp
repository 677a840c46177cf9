// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace ridgepoint::gui {
namespace {

const QString settings_key = QStringLiteral("files/recent");

}  // namespace

QStringList RecentFiles::list() {
  return QSettings().value(settings_key).toStringList().mid(0, limit);
}

void RecentFiles::add(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  QStringList files = list();
  files.removeAll(absolute);
  files.prepend(absolute);
  QSettings().setValue(settings_key, files.mid(0, limit));
}

void RecentFiles::clear() {
  QSettings().remove(settings_key);
}

}  // namespace ridgepoint::gui
