// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/roofline_scene.h"

#include <cmath>
#include <limits>
#include <map>

#include "gui/roofline/marker.h"

namespace ridgepoint::gui {
namespace {

constexpr double reach_px = 5;  // a mark is hit this far beyond its edge

}  // namespace

double LogRange::fraction(double value) const {
  return std::log(value / minimum) / std::log(maximum / minimum);
}

double LogRange::value(double fraction) const {
  return minimum * std::pow(maximum / minimum, fraction);
}

double LogRange::decades() const {
  return std::log10(maximum / minimum);
}

bool RooflineScene::visible(const RooflineRoof& roof) const {
  if (roof.measured && !measured_roofs) {
    return false;
  }
  for (const MemoryLevel level : memory_levels) {
    if (roof.kind == CeilingKind::bandwidth && roof.id == key(level)) {
      return visible(level);
    }
  }
  return true;
}

bool RooflineScene::visible(const RidgePoint& ridge) const {
  for (const MemoryLevel level : memory_levels) {
    if (ridge.bandwidth_id == key(level)) {
      return visible(level);
    }
  }
  return true;
}

bool RooflineScene::drawn(const RooflinePoint& point) const {
  return visible(point.level) || point.kernel == selected;
}

QPointF RooflineScene::toPixel(double intensity, double flop_per_s) const {
  return {plot.left() + plot.width() * x.fraction(intensity),
          plot.bottom() - plot.height() * y.fraction(flop_per_s)};
}

std::optional<std::size_t> RooflineScene::pointAt(const QPointF& pixel) const {
  std::optional<std::size_t> best;
  double best_radius = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < roofline.points.size(); ++i) {
    const RooflinePoint& point = roofline.points[i];
    if (!drawn(point)) {
      continue;
    }
    const QPointF centre = toPixel(point.intensity, point.flop_per_s);
    const double radius = markerRadius(point.time_share);
    const double distance = std::hypot(pixel.x() - centre.x(), pixel.y() - centre.y());
    if (plot.contains(centre) && distance <= radius + reach_px && radius < best_radius) {
      best = i;
      best_radius = radius;
    }
  }
  return best;
}

QPen roofPen(const Theme& theme, bool measured) {
  QColor colour = theme.roof;
  colour.setAlphaF(measured ? 0.75F : 0.9F);
  return {colour, measured ? 1.2 : 1.8, measured ? Qt::DashLine : Qt::SolidLine};
}

std::vector<QColor> kernelColours(const Theme& theme, const Analysis& analysis) {
  std::map<std::string, std::size_t> seen;
  std::vector<QColor> colours;
  colours.reserve(analysis.kernels.size());
  for (const KernelAnalysis& kernel : analysis.kernels) {
    colours.push_back(variantColour(
        theme, kernel.variant, variantPosition(analysis, kernel.variant), seen[kernel.variant]++));
  }
  return colours;
}

}  // namespace ridgepoint::gui
