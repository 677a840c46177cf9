// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/display.h"

#include "analyzer/core/text.h"
#include "reports/presenters/format.h"

namespace ridgepoint::gui {

QString plain(const std::string& text) {
  return QString::fromStdString(printable(text));
}

QString rich(const std::string& text) {
  return plain(text).toHtmlEscaped();
}

QString quantity(const std::optional<double>& value, Unit unit, const char* absent) {
  return QString::fromStdString(format_quantity(value, unit, absent));
}

}  // namespace ridgepoint::gui
