// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include "analyzer/core/error.h"

namespace ridgepoint::gui {

struct ExportTarget {
  QString path;
  QString source;        // the session that is shown: never written over; may be empty
  bool replace = false;  // the user was asked, or said --force
};

// Whether the target may be written, before any work is done for it: only a new name or, with
// `replace`, a regular file other than the session. Devices, pipes and links are refused.
Status checkExport(const ExportTarget& target);

// checkExport(), then writes the file as a whole or leaves it as it was.
Status writeExport(const ExportTarget& target, const QByteArray& bytes);

}  // namespace ridgepoint::gui
