// SPDX-License-Identifier: GPL-3.0-or-later
// What is written on the roofline, and where. Finding places takes tens of milliseconds on a
// crowded chart, and most repaints (a mark under the pointer, a tooltip that goes) move none of
// them, so that the chart keeps the result:
//
//     none ──next paint──> placed ──hover, rubber band, colours──> placed
//      ^                      │
//      └── analysis, selection, levels, roofs, zoom, size, font ──┘
#pragma once

#include <QFont>
#include <QLineF>
#include <QPointF>
#include <QString>
#include <optional>
#include <vector>

#include "gui/roofline/kernel_names.h"
#include "gui/roofline/roof_labels.h"
#include "gui/roofline/roofline_scene.h"

namespace ridgepoint::gui {

struct RooflineText {
  QString text;
  QPointF baseline;  // its start
  QRectF box;
};

struct RooflineTexts {
  std::vector<RooflineText> zones;       // "bound by HBM"
  std::vector<RooflineText> ridges;      // "ridge 222 FLOP/B"
  std::optional<RooflineText> headroom;  // of the selected kernel
  std::optional<QLineF> ruler;           // from its mark to the roof that binds it
  RoofLabels roofs;
  std::vector<KernelName> kernels;
};

// No text lies over another, a mark or a roof's line; a roof's label alone may, where it would have
// no place else. `kernel` is the selected one, or null.
RooflineTexts placeRooflineTexts(const RooflineScene& scene, const QFont& font,
                                 const KernelAnalysis* kernel);

// Of roofs, ridges, zones and the headroom; kernels have the bold one.
QFont smallRooflineFont(const QFont& font);
QFont boldRooflineFont(const QFont& font);

}  // namespace ridgepoint::gui
