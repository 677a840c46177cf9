// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/display.h"

#include <algorithm>
#include <vector>

#include "analyzer/core/text.h"
#include "reports/presenters/elide.h"
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

QStringList elidedApart(const QStringList& names, const QFontMetricsF& metrics, double width) {
  constexpr std::size_t least = 12;
  std::vector<std::string> whole;
  std::size_t longest = least;
  for (const QString& name : names) {
    whole.push_back(name.toStdString());
    longest = std::max(longest, display_width(whole.back()));
  }
  const double narrow_letter = std::max(1.0, metrics.averageCharWidth() / 3);
  std::size_t letters =
      std::clamp(static_cast<std::size_t>(std::max(0.0, width) / narrow_letter), least, longest);
  // Letters differ in width: fewer of them until all fit.
  for (;; --letters) {
    QStringList shown;
    double widest = 0;
    for (const std::string& name : elide_apart(whole, letters)) {
      shown << QString::fromStdString(name);
      widest = std::max(widest, metrics.horizontalAdvance(shown.back()));
    }
    if (widest <= width || letters <= least) {
      return shown;
    }
    const double excess = (widest - width) / std::max(1.0, metrics.averageCharWidth() * 2);
    letters -= std::min(letters - least, static_cast<std::size_t>(excess));
    letters = std::max(letters, least + 1);
  }
}

}  // namespace ridgepoint::gui
