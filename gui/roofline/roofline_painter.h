// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <vector>

#include "gui/roofline/kernel_names.h"
#include "gui/roofline/roof_labels.h"
#include "gui/roofline/roofline_scene.h"

class QPainter;

namespace ridgepoint::gui {

// The names as painted, and where they stand.
struct RooflineNames {
  RoofLabels roofs;
  std::vector<KernelName> kernels;
};

// Draws over the chart's grid and roofs: tick labels, roof labels along their lines, ridge points,
// marks and their names. `kernel` is the selected one, or null: its headroom is drawn as a ruler.
RooflineNames paintRoofline(QPainter& painter, const RooflineScene& scene, const Theme& theme,
                            const QFont& font, const KernelAnalysis* kernel);

}  // namespace ridgepoint::gui
