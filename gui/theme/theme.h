// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the window, light and dark, from the palette of the reports
// (reports/charts/palette.h), so that a kernel looks the same in both. Widgets ask for the theme of
// their palette and follow palette changes; nothing else is needed to switch.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <cstddef>
#include <string>
#include <string_view>

#include "analyzer/analysis/analysis.h"
#include "reports/presenters/stall_kinds.h"

class QApplication;

namespace ridgepoint::gui {

struct Theme {
  bool dark = false;
  QColor window;   // behind everything
  QColor surface;  // cards, charts, tables
  QColor raised;   // headers and hovered rows on a surface
  QColor text;
  QColor muted;  // secondary text; 4.5:1 or better on `surface`
  QColor border;
  QColor grid;    // chart lines
  QColor roof;    // roofs of the chart
  QColor accent;  // focus, selection, links
  QColor on_accent;
  QColor good;
  QColor bad;
};

// Qt 6.4 has no QStyleHints::colorScheme(); the lightness of the palette tells.
const Theme& themeOf(const QPalette& palette);
const Theme& theme(bool dark);

// Variants keep their colour in every view and report: naive is orange, fused is blue, others by
// their position in the analysis. Kernels of one variant are told apart by shade.
QColor variantColour(const Theme& theme, const std::string& variant, std::size_t position,
                     std::size_t shade = 0);
std::size_t variantPosition(const Analysis& analysis, const std::string& variant);
QColor severityColour(const Theme& theme, Severity severity);
QColor stallColour(const Theme& theme, StallKind kind);
// By its name in the palette of the reports.
QColor paletteColour(const Theme& theme, std::string_view name);
// Black or white, whichever reads better on `background`.
QColor textOn(const QColor& background);

enum class ThemeChoice { system, light, dark };
// Fusion style with our palette and sheet; `system` follows the palette the desktop gave at start.
void applyTheme(QApplication& app, ThemeChoice choice);

}  // namespace ridgepoint::gui
