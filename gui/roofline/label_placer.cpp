// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/label_placer.h"

#include <algorithm>
#include <limits>

namespace ridgepoint::gui {
namespace {

struct Extent {
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
};

Extent along(const QPolygonF& polygon, const QPointF& axis) {
  Extent extent;
  for (const QPointF& corner : polygon) {
    const double at = QPointF::dotProduct(corner, axis);
    extent.low = std::min(extent.low, at);
    extent.high = std::max(extent.high, at);
  }
  return extent;
}

// Whether an edge of `a` has all of `b` on its far side.
bool parted(const QPolygonF& a, const QPolygonF& b) {
  for (qsizetype i = 0; i < a.size(); ++i) {
    const QPointF edge = a[(i + 1) % a.size()] - a[i];
    if (edge.isNull()) {
      continue;
    }
    const QPointF axis(-edge.y(), edge.x());
    const Extent one = along(a, axis);
    const Extent other = along(b, axis);
    if (one.high <= other.low || other.high <= one.low) {
      return true;
    }
  }
  return false;
}

}  // namespace

QPolygonF stripOf(const QLineF& line) {
  constexpr double half_width = 2;
  if (line.length() <= 0) {
    return {};
  }
  QLineF across = line.normalVector();
  across.setLength(half_width);
  const QPointF aside(across.dx(), across.dy());
  return QPolygonF({line.p1() - aside, line.p2() - aside, line.p2() + aside, line.p1() + aside});
}

bool overlap(const QPolygonF& a, const QPolygonF& b) {
  // Convex polygons are apart just where an edge of one parts them (separating axis theorem).
  return !a.isEmpty() && !b.isEmpty() && !parted(a, b) && !parted(b, a);
}

bool LabelPlacer::isFree(const QPolygonF& area) const {
  const QRectF box = area.boundingRect();
  return bounds_.contains(box) &&
         std::none_of(taken_.begin(), taken_.end(), [&](const Taken& other) {
           return box.intersects(other.box) && overlap(area, other.area);
         });
}

bool LabelPlacer::isFree(const QRectF& area) const {
  return bounds_.contains(area) &&
         std::none_of(taken_.begin(), taken_.end(), [&](const Taken& other) {
           return area.intersects(other.box) &&
                  (other.upright || overlap(QPolygonF(area), other.area));
         });
}

void LabelPlacer::block(const QLineF& line) {
  if (const QPolygonF strip = stripOf(line); !strip.isEmpty()) {
    block(strip);
  }
}

void LabelPlacer::release(const QPolygonF& area) {
  const auto at = std::find_if(taken_.begin(), taken_.end(),
                               [&](const Taken& one) { return one.area == area; });
  if (at != taken_.end()) {
    taken_.erase(at);
  }
}

std::optional<std::size_t> LabelPlacer::place(const std::vector<QPolygonF>& candidates) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (isFree(candidates[i])) {
      block(candidates[i]);
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace ridgepoint::gui
