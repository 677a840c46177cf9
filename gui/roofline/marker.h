// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPainterPath>

#include "analyzer/analysis/analysis.h"
#include "gui/theme/theme.h"

namespace ridgepoint::gui {

// One shape a memory level, so that levels differ without colour: circle HBM, square L2, triangle
// shared memory.
QPainterPath markerPath(MemoryLevel level, const QPointF& centre, double radius);
// Area, not radius, grows with the share of time.
double markerRadius(double time_share);
QIcon markerIcon(MemoryLevel level, const Theme& theme);

}  // namespace ridgepoint::gui
