// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPainterPath>
#include <QPolygonF>
#include <QRectF>
#include <optional>
#include <vector>

namespace ridgepoint::gui {

// Keeps labels of a chart apart: each takes the first of its candidate places that lies inside the
// plot and touches nothing placed before. Later labels give way, so place the important ones first.
class LabelPlacer {
 public:
  explicit LabelPlacer(const QRectF& bounds) : bounds_(bounds) {}

  void block(const QRectF& area) { taken_.emplace_back(area); }
  void block(const QLineF& line);  // no label is struck through by it
  // The index of the place taken, or nothing when none is free.
  std::optional<std::size_t> place(const std::vector<QPolygonF>& candidates);

 private:
  bool free(const QPolygonF& candidate) const;

  QRectF bounds_;
  std::vector<QPolygonF> taken_;
};

}  // namespace ridgepoint::gui
