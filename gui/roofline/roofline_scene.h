// SPDX-License-Identifier: GPL-3.0-or-later
// What the roofline chart shows at one moment, and where: shared by the painter and the hit test.
#pragma once

#include <QPen>
#include <QPointF>
#include <QRectF>
#include <array>
#include <optional>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "gui/models/analysis_ptr.h"
#include "gui/theme/theme.h"
#include "reports/presenters/roofline.h"

namespace ridgepoint::gui {

struct LogRange {
  double minimum = 1;
  double maximum = 10;
  double fraction(double value) const;  // 0..1 by logarithm, outside when off the range
  double value(double fraction) const;
  double decades() const;
};

struct RooflineScene {
  Roofline roofline;
  std::vector<QColor> kernel_colours;  // by kernel
  std::array<bool, memory_level_count> level_visible{true, true, true};
  bool measured_roofs = true;
  std::optional<std::size_t> selected;
  std::optional<std::size_t> hovered;  // index into roofline.points
  LogRange x;
  LogRange y;
  QRectF plot;  // pixels

  bool visible(MemoryLevel level) const { return level_visible[static_cast<std::size_t>(level)]; }
  bool visible(const RooflineRoof& roof) const;
  bool visible(const RidgePoint& ridge) const;
  // Visible by its level, or drawn hollow because its kernel is selected.
  bool drawn(const RooflinePoint& point) const;

  QPointF toPixel(double intensity, double flop_per_s) const;
  // The mark under the pointer, the smallest first: large ones lie below.
  std::optional<std::size_t> pointAt(const QPointF& pixel) const;
};

// Of a roof's line.
QPen roofPen(const Theme& theme, bool measured);

// Scene colours: shades of the variant's family by position within the variant.
std::vector<QColor> kernelColours(const Theme& theme, const Analysis& analysis);

}  // namespace ridgepoint::gui
