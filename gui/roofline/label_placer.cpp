// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/label_placer.h"

#include <algorithm>

namespace ridgepoint::gui {

bool LabelPlacer::free(const QPolygonF& candidate) const {
  const QRectF box = candidate.boundingRect();
  if (!bounds_.contains(box)) {
    return false;
  }
  return std::none_of(taken_.begin(), taken_.end(), [&](const QPolygonF& other) {
    return box.intersects(other.boundingRect()) && candidate.intersects(other);
  });
}

void LabelPlacer::block(const QLineF& line) {
  constexpr double half_width = 2;
  if (line.length() <= 0) {
    return;
  }
  QLineF across = line.normalVector();
  across.setLength(half_width);
  const QPointF aside(across.dx(), across.dy());
  taken_.push_back({QPolygonF{line.p1() - aside, line.p2() - aside, line.p2() + aside,
                              line.p1() + aside, line.p1() - aside}});
}

std::optional<std::size_t> LabelPlacer::place(const std::vector<QPolygonF>& candidates) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (free(candidates[i])) {
      taken_.push_back(candidates[i]);
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace ridgepoint::gui
