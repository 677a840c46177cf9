// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

#include "gui/roofline/roofline_scene.h"
#include "gui/roofline/roofline_texts.h"

class QPainter;

namespace ridgepoint::gui {

// Draws over the chart's grid and roofs: tick labels, ridge points, marks, and the texts where they
// were placed for this scene and font.
void paintRoofline(QPainter& painter, const RooflineScene& scene, const RooflineTexts& texts,
                   const Theme& theme, const QFont& font);

}  // namespace ridgepoint::gui
