// SPDX-License-Identifier: GPL-3.0-or-later
// Where the kernels' names stand: beside a mark of their own, nearer to it than to any other
// kernel's, or further off with a line that leads to it.
#pragma once

#include <QFontMetricsF>
#include <QLineF>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "gui/roofline/label_placer.h"
#include "gui/roofline/roofline_scene.h"

namespace ridgepoint::gui {

struct KernelName {
  std::size_t kernel = 0;
  QString text;  // whole where that fits, else without its variant, else elided
  QRectF box;
  std::optional<QLineF> leader;  // from the mark's edge to the name
};

// One name a kernel, those with the most time first; the selected kernel before all. The lines of
// `roofs` stay uncovered: a kernel that finds no other place goes without. The `wished` places do
// where a name has another one.
std::vector<KernelName> placeKernelNames(const RooflineScene& scene, const QFontMetricsF& metrics,
                                         const std::vector<QPolygonF>& wished,
                                         const LabelPlacer& roofs, LabelPlacer& placer);

// From the edge of the nearest mark of kernels other than `kernel` (or of `kernel` itself, when
// `own`) to the box; infinite where there is none.
double distanceToMarks(const RooflineScene& scene, const QRectF& box, std::size_t kernel, bool own);

}  // namespace ridgepoint::gui
