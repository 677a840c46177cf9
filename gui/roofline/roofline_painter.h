// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QStringList>

#include "gui/roofline/roofline_scene.h"

class QPainter;

namespace ridgepoint::gui {

// Draws over the chart's grid and roofs: tick labels, roof labels along their lines, ridge points,
// marks and their names. `kernel` is the selected one, or null: its headroom is drawn as a ruler.
// The names of the roofs as painted.
QStringList paintRoofline(QPainter& painter, const RooflineScene& scene, const Theme& theme,
                          const QFont& font, const KernelAnalysis* kernel);

}  // namespace ridgepoint::gui
