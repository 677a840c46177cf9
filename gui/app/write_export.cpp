// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/write_export.h"

#include <QSaveFile>

namespace ridgepoint::gui {

Status writeExport(const QString& path, const QByteArray& bytes) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
    return fail(ErrorDomain::output, "writing " + path.toStdString(),
                file.errorString().toStdString(), "choose a folder that you may write to");
  }
  return {};
}

}  // namespace ridgepoint::gui
