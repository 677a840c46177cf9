// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <vector>

#include "gui/roofline/roofline_scene.h"

class QPainter;

namespace ridgepoint::gui {

// Where the axes are labelled: decades, and 2 and 5 between them when fewer than two are shown.
std::vector<double> tickValues(const LogRange& range);
// "10,000", grouped as in every table and figure, whatever the language of the desktop.
QString intensityTick(double value);

// The decades with their ninths and the two axis lines, below the roofs. Painted from the scene's
// own mapping, as are labels and marks, so that none of them can disagree with another.
void paintGrid(QPainter& painter, const RooflineScene& scene, const Theme& theme);

// Tick labels with SI prefixes, and the titles.
void paintAxisLabels(QPainter& painter, const RooflineScene& scene, const Theme& theme,
                     const QFont& font, const QFont& small);

}  // namespace ridgepoint::gui
