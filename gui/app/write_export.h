// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include "analyzer/core/error.h"

namespace ridgepoint::gui {

// Replaces the file as a whole or leaves it as it was. The file dialog has asked whether it may.
Status writeExport(const QString& path, const QByteArray& bytes);

}  // namespace ridgepoint::gui
