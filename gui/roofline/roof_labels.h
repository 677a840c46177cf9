// SPDX-License-Identifier: GPL-3.0-or-later
// Where the roofs' names stand: along their lines, shorter where there is little room, and in a
// list in a corner where a line has none, so that no roof goes without.
#pragma once

#include <QFontMetricsF>
#include <QRectF>
#include <QStringList>
#include <QTransform>
#include <vector>

#include "gui/roofline/label_placer.h"
#include "gui/roofline/roofline_scene.h"

namespace ridgepoint::gui {

struct RoofLabel {
  QString text;
  QTransform place;     // of its baseline's start
  double baseline = 0;  // below that place
};

struct RoofLabels {
  std::vector<RoofLabel> along;
  QStringList listed;  // one below the other in `list`
  QRectF list;
};

// Of the visible roofs that cross the plot. A measured roof shares the label of its theoretical
// one.
RoofLabels placeRoofLabels(const RooflineScene& scene, const QFontMetricsF& metrics,
                           LabelPlacer& placer);

}  // namespace ridgepoint::gui
