// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/marker.h"

#include <QPainter>
#include <QPixmap>
#include <algorithm>
#include <cmath>

namespace ridgepoint::gui {

QPainterPath markerPath(MemoryLevel level, const QPointF& centre, double radius) {
  QPainterPath path;
  switch (level) {
    case MemoryLevel::hbm:
      path.addEllipse(centre, radius, radius);
      break;
    case MemoryLevel::l2: {
      const double half = radius * 0.88;  // equal areas look equally large
      path.addRect(QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half));
      break;
    }
    case MemoryLevel::smem: {
      const double reach = radius * 1.3;
      path.moveTo(centre + QPointF(0, -reach));
      path.lineTo(centre + QPointF(reach * 0.9, reach * 0.7));
      path.lineTo(centre + QPointF(-reach * 0.9, reach * 0.7));
      path.closeSubpath();
      break;
    }
  }
  return path;
}

double markerRadius(double time_share) {
  return 5.0 + 8.0 * std::sqrt(std::clamp(time_share, 0.0, 1.0));
}

QIcon markerIcon(MemoryLevel level, const Theme& theme) {
  constexpr int size = 16;
  constexpr double scale = 2;  // sharp on high-density screens
  QPixmap pixmap(QSize(size, size) * scale);
  pixmap.setDevicePixelRatio(scale);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.muted);
  painter.drawPath(markerPath(level, QPointF(size / 2.0, size / 2.0), 5.5));
  return QIcon(pixmap);
}

}  // namespace ridgepoint::gui
