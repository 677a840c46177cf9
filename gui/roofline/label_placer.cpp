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
