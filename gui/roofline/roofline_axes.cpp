// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/roofline_axes.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <cmath>
#include <utility>

#include "gui/models/display.h"

namespace ridgepoint::gui {
namespace {

struct Step {
  double value = 0;
  bool decade = false;
};

// 1 to 9 times each power of ten within the range.
std::vector<Step> steps(const LogRange& range) {
  std::vector<Step> found;
  const int first = static_cast<int>(std::floor(std::log10(range.minimum)));
  const int last = static_cast<int>(std::ceil(std::log10(range.maximum)));
  for (int exponent = first; exponent <= last; ++exponent) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = digit * std::pow(10.0, exponent);
      if (value >= range.minimum * 0.999 && value <= range.maximum * 1.001) {
        found.push_back({value, digit == 1});
      }
    }
  }
  return found;
}

QString siTick(double value) {
  static const std::pair<double, const char*> prefixes[] = {
      {1e15, " P"}, {1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
  for (const auto& [size, symbol] : prefixes) {
    if (value >= size * 0.999) {
      return QString::number(value / size, 'g', 4) + QString::fromLatin1(symbol);
    }
  }
  return QString::number(value, 'g', 4);
}

}  // namespace

std::vector<double> tickValues(const LogRange& range) {
  std::vector<double> values;
  for (const Step& step : steps(range)) {
    const double digit = step.value / std::pow(10.0, std::floor(std::log10(step.value) + 1e-9));
    const bool between = std::abs(digit - 2) < 0.5 || std::abs(digit - 5) < 0.5;
    if (step.decade || (between && range.decades() < 2)) {
      values.push_back(step.value);
    }
  }
  return values;
}

QString intensityTick(double value) {
  return QLocale(QLocale::English, QLocale::UnitedStates).toString(value, 'g', 6);
}

void paintGrid(QPainter& painter, const RooflineScene& scene, const Theme& theme) {
  const QRectF& plot = scene.plot;
  QColor faint = theme.grid;
  faint.setAlphaF(0.55F);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);  // whole pixels: all lines equally strong
  for (const bool decade : {false, true}) {
    painter.setPen(QPen(decade ? theme.grid : faint, 1));
    for (const Step& step : steps(scene.x)) {
      if (step.decade == decade) {
        const double x = scene.toPixel(step.value, scene.y.minimum).x();
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
      }
    }
    for (const Step& step : steps(scene.y)) {
      if (step.decade == decade) {
        const double y = scene.toPixel(scene.x.minimum, step.value).y();
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
      }
    }
  }
  painter.setPen(QPen(theme.border, 1));
  painter.drawLine(plot.bottomLeft(), plot.topLeft());
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
  painter.restore();
}

void paintAxisLabels(QPainter& painter, const RooflineScene& scene, const Theme& theme,
                     const QFont& font, const QFont& small) {
  const QRectF& plot = scene.plot;
  painter.setFont(small);
  painter.setPen(theme.muted);
  const QFontMetricsF metrics(small);
  for (const double value : tickValues(scene.x)) {
    const double x = scene.toPixel(value, scene.y.minimum).x();
    painter.drawText(QRectF(x - 40, plot.bottom() + 4, 80, metrics.height()), Qt::AlignHCenter,
                     intensityTick(value));
  }
  for (const double value : tickValues(scene.y)) {
    const double y = scene.toPixel(scene.x.minimum, value).y();
    painter.drawText(QRectF(plot.left() - 66, y - 10, 60, 20), Qt::AlignRight | Qt::AlignVCenter,
                     siTick(value));
  }
  painter.setFont(font);
  painter.drawText(QRectF(plot.left(), plot.bottom() + 6 + metrics.height(), plot.width(), 22),
                   Qt::AlignCenter, plain(scene.roofline.x.title));
  painter.save();
  painter.translate(plot.left() - 66, plot.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-plot.height() / 2, -16, plot.height(), 20), Qt::AlignCenter,
                   plain(scene.roofline.y.title));
  painter.restore();
}

}  // namespace ridgepoint::gui
