// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/roofline_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <numeric>

#include "gui/roofline/marker.h"
#include "gui/roofline/roofline_axes.h"

namespace ridgepoint::gui {
namespace {

class Painter {
 public:
  Painter(QPainter& painter, const RooflineScene& scene, const RooflineTexts& texts,
          const Theme& theme, const QFont& font)
      : p_(painter),
        s_(scene),
        texts_(texts),
        t_(theme),
        font_(font),
        small_(smallRooflineFont(font)) {}

  void axes() { paintAxisLabels(p_, s_, t_, font_, small_); }
  void zones();
  void ridges();
  void selection();
  void names();
  void roofLabels();
  void marks();

 private:
  QPointF centre(const RooflinePoint& point) const {
    return s_.toPixel(point.intensity, point.flop_per_s);
  }
  // Text with a halo of the surface colour, so that it reads across lines.
  void haloed(const QPointF& baseline, const QString& text, const QColor& colour,
              const QFont& font);

  QPainter& p_;
  const RooflineScene& s_;
  const RooflineTexts& texts_;
  const Theme& t_;
  QFont font_;
  QFont small_;
};

void Painter::haloed(const QPointF& baseline, const QString& text, const QColor& colour,
                     const QFont& font) {
  QPainterPath path;
  path.addText(baseline, font, text);
  p_.strokePath(path, QPen(t_.surface, 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p_.setFont(font);
  p_.setPen(colour);
  p_.drawText(baseline, text);
}

void Painter::roofLabels() {
  const QFontMetricsF metrics(small_);
  const RoofLabels& labels = texts_.roofs;
  for (const RoofLabel& label : labels.along) {
    p_.save();
    p_.setTransform(label.place, true);
    double baseline = label.baseline;
    for (const QString& row : label.text.split(QLatin1Char('\n'))) {
      haloed(QPointF(0, baseline), row, t_.muted, small_);
      baseline += metrics.height();
    }
    p_.restore();
  }
  double top = labels.list.top();
  for (const ListedRoof& roof : labels.listed) {
    // A sample as steep as the line itself, as far as its row allows.
    QLineF sample(QPointF(), QPointF(roof_sample_px - 8, 0));
    sample.setAngle(std::min(roof.line.angle(), 40.0));
    sample.translate(QPointF(labels.list.left(), top + metrics.height() / 2) - sample.center() +
                     QPointF((roof_sample_px - 8) / 2, 0));
    p_.setPen(roofPen(t_, roof.measured));
    p_.drawLine(sample);
    haloed(QPointF(labels.list.left() + roof_sample_px, top + metrics.ascent()), roof.text,
           t_.muted, small_);
    top += metrics.height();
  }
}

void Painter::zones() {
  const RidgePoint* ridge = dividing_ridge(s_.roofline);
  if (ridge == nullptr || !s_.visible(*ridge)) {
    return;
  }
  const double x = s_.toPixel(ridge->intensity, ridge->flop_per_s).x();
  if (x <= s_.plot.left()) {
    return;
  }
  QColor shade = t_.muted;
  shade.setAlphaF(0.07F);
  p_.fillRect(QRectF(s_.plot.topLeft(), QPointF(std::min(x, s_.plot.right()), s_.plot.bottom())),
              shade);
  for (const RooflineText& zone : texts_.zones) {
    haloed(zone.baseline, zone.text, t_.muted, small_);
  }
}

void Painter::ridges() {
  for (const RidgePoint& ridge : s_.roofline.ridges) {
    const QPointF at = s_.toPixel(ridge.intensity, ridge.flop_per_s);
    if (s_.visible(ridge) && s_.plot.contains(at)) {
      p_.setPen(QPen(t_.muted, 1.5));
      p_.setBrush(t_.surface);
      p_.drawEllipse(at, 3.5, 3.5);
    }
  }
  for (const RooflineText& ridge : texts_.ridges) {
    haloed(ridge.baseline, ridge.text, t_.muted, small_);
  }
}

// The marks of the selected kernel are joined, and a ruler shows how far they are from the roof.
void Painter::selection() {
  const RooflinePoint* before = nullptr;
  p_.setPen(QPen(t_.accent, 2));
  for (const RooflinePoint& point : s_.roofline.points) {
    if (point.kernel == s_.selected) {
      if (before != nullptr) {
        p_.drawLine(QLineF(centre(*before), centre(point)));
      }
      before = &point;
    }
  }
  if (texts_.ruler) {
    const QPointF to = texts_.ruler->p2();
    p_.setPen(QPen(t_.accent, 1.5, Qt::DashLine));
    p_.drawLine(*texts_.ruler);
    p_.drawLine(to - QPointF(5, 0), to + QPointF(5, 0));
  }
  if (texts_.headroom) {
    haloed(texts_.headroom->baseline, texts_.headroom->text, t_.accent, small_);
  }
}

void Painter::marks() {
  std::vector<std::size_t> order(s_.roofline.points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Large marks below small ones, the selected kernel above all.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const RooflinePoint& left = s_.roofline.points[a];
    const RooflinePoint& right = s_.roofline.points[b];
    const bool left_selected = left.kernel == s_.selected;
    const bool right_selected = right.kernel == s_.selected;
    return left_selected != right_selected ? right_selected : left.time_share > right.time_share;
  });
  for (const std::size_t i : order) {
    const RooflinePoint& point = s_.roofline.points[i];
    if (!s_.drawn(point)) {
      continue;
    }
    const bool chosen = point.kernel == s_.selected;
    const bool hollow = !s_.visible(point.level);
    const double radius = markerRadius(point.time_share);
    QColor fill = s_.kernel_colours.at(point.kernel);
    if (chosen) {
      QColor ring = t_.accent;
      ring.setAlphaF(0.30F);
      p_.setPen(Qt::NoPen);
      p_.setBrush(ring);
      p_.drawPath(markerPath(point.level, centre(point), radius + 6));
    }
    fill.setAlphaF(s_.selected && !chosen ? 0.45F : 0.92F);
    p_.setBrush(hollow ? QBrush(t_.surface) : QBrush(fill));
    const bool emphasised = chosen || s_.hovered == i;
    p_.setPen(QPen(emphasised ? t_.text : (hollow ? fill : t_.surface), emphasised ? 2 : 1.4));
    p_.drawPath(markerPath(point.level, centre(point), radius));
  }
}

void Painter::names() {
  const QFont bold = boldRooflineFont(font_);
  const double descent = QFontMetricsF(bold).descent();
  for (const KernelName& name : texts_.kernels) {
    const QColor colour = s_.kernel_colours.at(name.kernel);
    if (name.leader) {
      p_.setPen(QPen(t_.surface, 3));
      p_.drawLine(*name.leader);
      p_.setPen(QPen(colour, 1.2));
      p_.drawLine(*name.leader);
    }
    haloed(name.box.bottomLeft() - QPointF(0, descent), name.text, colour, bold);
  }
}

}  // namespace

void paintRoofline(QPainter& painter, const RooflineScene& scene, const RooflineTexts& texts,
                   const Theme& theme, const QFont& font) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  Painter inner(painter, scene, texts, theme, font);
  inner.axes();
  painter.setClipRect(scene.plot.adjusted(-1, -1, 1, 1));
  inner.zones();
  inner.ridges();
  inner.selection();
  inner.names();
  inner.roofLabels();
  inner.marks();
  painter.restore();
}

}  // namespace ridgepoint::gui
