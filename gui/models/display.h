// SPDX-License-Identifier: GPL-3.0-or-later
// Texts from a session on their way into Qt. Kernel names, NVTX ranges and command lines come from
// outside: control characters are replaced, and rich text is escaped.
#pragma once

#include <QFontMetricsF>
#include <QString>
#include <QStringList>
#include <optional>
#include <string>

#include "reports/presenters/table.h"

namespace ridgepoint::gui {

QString plain(const std::string& text);
QString rich(const std::string& text);  // for HTML: plain() with <, >, & and quotes escaped
QString quantity(const std::optional<double>& value, Unit unit,
                 const char* absent = "not measured");
// Each at most `width` pixels wide, and no two different ones alike (elide_apart).
QStringList elidedApart(const QStringList& names, const QFontMetricsF& metrics, double width);

}  // namespace ridgepoint::gui
