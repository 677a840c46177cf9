// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPolygonF>
#include <QRectF>
#include <optional>
#include <vector>

namespace ridgepoint::gui {

// A thin box along a line: what a label must not be struck through by.
QPolygonF stripOf(const QLineF& line);
// Of convex polygons; those that only touch do not overlap.
bool overlap(const QPolygonF& a, const QPolygonF& b);

// Keeps labels of a chart apart: each takes the first of its candidate places that lies inside the
// plot and overlaps nothing placed before. Later labels give way, so place the important ones
// first. Places are convex.
class LabelPlacer {
 public:
  explicit LabelPlacer(const QRectF& bounds) : bounds_(bounds) {}

  void block(const QPolygonF& area) { taken_.push_back({area, area.boundingRect(), false}); }
  void block(const QRectF& area) { taken_.push_back({QPolygonF(area), area, true}); }
  void block(const QLineF& line);       // no label is struck through by it
  void release(const QPolygonF& area);  // a place taken before
  bool isFree(const QPolygonF& area) const;
  bool isFree(const QRectF& area) const;
  // The index of the place taken, or nothing when none is free.
  std::optional<std::size_t> place(const std::vector<QPolygonF>& candidates);

 private:
  struct Taken {
    QPolygonF area;
    QRectF box;
    bool upright = false;  // the area is the box
  };
  QRectF bounds_;
  std::vector<Taken> taken_;
};

}  // namespace ridgepoint::gui
