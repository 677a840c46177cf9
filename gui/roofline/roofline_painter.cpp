// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/roofline_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "gui/models/display.h"
#include "gui/roofline/label_placer.h"
#include "gui/roofline/marker.h"
#include "gui/roofline/roof_labels.h"
#include "gui/roofline/roofline_axes.h"

namespace ridgepoint::gui {
namespace {

// Names beyond these only clutter; every mark still has its tooltip.
constexpr std::size_t most_names = 14;

// From the nearest place of the box; 0 inside it.
double distance(const QRectF& box, const QPointF& point) {
  const double dx = std::max({box.left() - point.x(), 0.0, point.x() - box.right()});
  const double dy = std::max({box.top() - point.y(), 0.0, point.y() - box.bottom()});
  return std::hypot(dx, dy);
}

class Painter {
 public:
  Painter(QPainter& painter, const RooflineScene& scene, const Theme& theme, const QFont& font)
      : p_(painter), s_(scene), t_(theme), font_(font), small_(font), placer_(scene.plot) {
    small_.setPointSizeF(std::max(6.0, font.pointSizeF() * 0.92));
    for (const RooflinePoint& point : s_.roofline.points) {
      if (s_.drawn(point)) {
        const double r = markerRadius(point.time_share) + 1;
        const QPointF c = centre(point);
        placer_.block(QRectF(c.x() - r, c.y() - r, 2 * r, 2 * r));
      }
    }
  }

  void axes() { paintAxisLabels(p_, s_, t_, font_, small_); }
  QStringList roofLabels();
  void zones();
  void ridges();
  void selection(const KernelAnalysis* kernel);
  void marks();
  void names();

 private:
  QPointF centre(const RooflinePoint& point) const {
    return s_.toPixel(point.intensity, point.flop_per_s);
  }
  // Text with a halo of the surface colour, so that it reads across lines.
  void haloed(const QPointF& baseline, const QString& text, const QColor& colour,
              const QFont& font);

  QPainter& p_;
  const RooflineScene& s_;
  const Theme& t_;
  QFont font_;
  QFont small_;
  LabelPlacer placer_;
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

QStringList Painter::roofLabels() {
  const QFontMetricsF metrics(small_);
  const RoofLabels labels = placeRoofLabels(s_, metrics, placer_);
  QStringList texts = labels.listed;
  for (const RoofLabel& label : labels.along) {
    p_.save();
    p_.setTransform(label.place, true);
    haloed(QPointF(0, label.baseline), label.text, t_.muted, small_);
    p_.restore();
    texts << label.text;
  }
  double y = labels.list.top() + metrics.ascent();
  for (const QString& text : labels.listed) {
    haloed(QPointF(labels.list.left(), y), text, t_.muted, small_);
    y += metrics.height();
  }
  return texts;
}

// Left of the dividing ridge kernels are bound by HBM.
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
  if (x >= s_.plot.right()) {
    return;
  }
  const QFontMetricsF metrics(small_);
  const QString left = QCoreApplication::translate("Roofline", "bound by HBM");
  const QString right = QCoreApplication::translate("Roofline", "bound by compute");
  const double y = s_.plot.bottom() - 6;
  const double before = metrics.horizontalAdvance(left);
  haloed({x - 6 - before, y}, left, t_.muted, small_);
  haloed({x + 6, y}, right, t_.muted, small_);
  placer_.block(QRectF(x - 6 - before, y - metrics.ascent(),
                       before + 12 + metrics.horizontalAdvance(right), metrics.height()));
}

void Painter::ridges() {
  const QFontMetricsF metrics(small_);
  double highest = 0;
  for (const RidgePoint& ridge : s_.roofline.ridges) {
    highest = std::max(highest, ridge.flop_per_s);
  }
  for (const RidgePoint& ridge : s_.roofline.ridges) {
    const QPointF at = s_.toPixel(ridge.intensity, ridge.flop_per_s);
    if (!s_.visible(ridge) || !s_.plot.contains(at)) {
      continue;
    }
    p_.setPen(QPen(t_.muted, 1.5));
    p_.setBrush(t_.surface);
    p_.drawEllipse(at, 3.5, 3.5);
    if (ridge.flop_per_s < highest) {
      continue;  // the ridges of the highest roof are the ones that divide the chart
    }
    const QString text = plain(ridge.label);
    const QSizeF size(metrics.horizontalAdvance(text), metrics.height());
    std::vector<QPolygonF> places;
    for (const double dy : {-22.0, -36.0}) {
      places.emplace_back(QRectF(at + QPointF(-size.width() / 2, dy), size));
    }
    for (const double dy : {8.0, 22.0, 36.0}) {
      places.emplace_back(QRectF(at + QPointF(6, dy), size));
    }
    if (const auto chosen = placer_.place(places)) {
      haloed(places[*chosen].boundingRect().bottomLeft() - QPointF(0, metrics.descent()), text,
             t_.muted, small_);
    }
  }
}

// What binds a kernel need not be a roof of this chart: special functions and issue slots have
// none. A ruler that ended in mid-air would claim a roof there.
bool endsAtRoof(const RooflineScene& scene, const RooflinePoint& point, double headroom) {
  constexpr double tolerance = 0.05;  // times of profiled and of plain launches differ by less
  const double wanted = point.flop_per_s * headroom;
  return std::any_of(
      scene.roofline.roofs.begin(), scene.roofline.roofs.end(), [&](const RooflineRoof& roof) {
        const double height =
            roof.kind == CeilingKind::bandwidth ? roof.value * point.intensity : roof.value;
        return scene.visible(roof) && std::abs(wanted / height - 1) <= tolerance &&
               point.intensity >= roof.x0 * 0.999 && point.intensity <= roof.x1 * 1.001;
      });
}

void Painter::selection(const KernelAnalysis* kernel) {
  std::vector<const RooflinePoint*> own;
  for (const RooflinePoint& point : s_.roofline.points) {
    if (point.kernel == s_.selected) {
      own.push_back(&point);
    }
  }
  if (own.empty()) {
    return;
  }
  p_.setPen(QPen(t_.accent, 2));
  for (std::size_t i = 1; i < own.size(); ++i) {
    const QLineF line(centre(*own[i - 1]), centre(*own[i]));
    p_.drawLine(line);
    placer_.block(line);
  }
  // The ruler stands at the intensity of the level that binds; compute binds at every level.
  // Room below a busy pipe is no distance on this chart: it would end below the FLOP ceiling.
  if (kernel == nullptr || !kernel->headroom || *kernel->headroom <= 1.005 ||
      !kernel->bound_pipe.empty()) {
    return;
  }
  const RooflinePoint* at = nullptr;
  for (const RooflinePoint* point : own) {
    if (kernel->bound_by == BoundBy::compute ||
        std::string(key(kernel->bound_by)) == key(point->level)) {
      at = point;
      break;
    }
  }
  if (at == nullptr) {
    return;
  }
  const QPointF from = centre(*at);
  QPointF to = s_.toPixel(at->intensity, at->flop_per_s * *kernel->headroom);
  if (endsAtRoof(s_, *at, *kernel->headroom)) {
    const QLineF ruler(from, to);
    p_.setPen(QPen(t_.accent, 1.5, Qt::DashLine));
    p_.drawLine(ruler);
    p_.drawLine(to - QPointF(5, 0), to + QPointF(5, 0));
    placer_.block(ruler);
  } else {
    to = from - QPointF(0, markerRadius(at->time_share) + 40);  // the figure alone, near its mark
  }
  const QString text = QStringLiteral("%1 headroom").arg(quantity(kernel->headroom, Unit::factor));
  const QFontMetricsF metrics(small_);
  const QSizeF size(metrics.horizontalAdvance(text), metrics.height());
  std::vector<QPolygonF> places;
  for (const double along : {0.5, 0.7, 0.3, 0.9, 1.2}) {
    const QPointF anchor = from + (to - from) * along;
    places.emplace_back(QRectF(anchor + QPointF(7, -size.height() / 2), size));
    places.emplace_back(QRectF(anchor + QPointF(-7 - size.width(), -size.height() / 2), size));
  }
  if (const auto chosen = placer_.place(places)) {
    haloed(places[*chosen].boundingRect().bottomLeft() - QPointF(0, metrics.descent()), text,
           t_.accent, small_);
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
  // One name a kernel, at its outermost visible mark; kernels with the most time first.
  std::vector<const RooflinePoint*> first;
  std::set<std::size_t> seen;
  for (const RooflinePoint& point : s_.roofline.points) {
    if (s_.drawn(point) && s_.plot.contains(centre(point)) && seen.insert(point.kernel).second) {
      first.push_back(&point);
    }
  }
  std::stable_sort(first.begin(), first.end(), [&](const RooflinePoint* a, const RooflinePoint* b) {
    const bool a_selected = a->kernel == s_.selected;
    const bool b_selected = b->kernel == s_.selected;
    return a_selected != b_selected ? a_selected : a->time_share > b->time_share;
  });
  first.resize(std::min(first.size(), most_names));
  QFont bold = font_;
  bold.setWeight(QFont::DemiBold);
  const QFontMetricsF metrics(bold);
  QStringList whole;
  for (const RooflinePoint* point : first) {
    whole << plain(point->label);
  }
  // A shorter name nearby tells more than a whole one beside another kernel's mark.
  const QStringList lengths[] = {elidedApart(whole, metrics, 190),
                                 elidedApart(whole, metrics, 120)};
  for (std::size_t i = 0; i < first.size(); ++i) {
    const RooflinePoint* point = first[i];
    const double r = markerRadius(point->time_share) + 6;
    const QPointF c = centre(*point);
    for (const QStringList& names : lengths) {
      const QString& text = names[static_cast<qsizetype>(i)];
      const QSizeF size(metrics.horizontalAdvance(text), metrics.height());
      std::vector<QPolygonF> places;
      const auto add = [&](const QPointF& from) {
        const QRectF box(c + from, size);
        const double own = distance(box, c);
        if (std::none_of(first.begin(), first.end(), [&](const RooflinePoint* other) {
              return other != point && distance(box, centre(*other)) < own;
            })) {
          places.emplace_back(box);
        }
      };
      for (const double far : {0.0, 14.0, 30.0}) {
        add({-size.width() / 2, -r - far - size.height()});
        add({-size.width() / 2, r + far});
        add({r + far, -size.height() / 2});
        add({-r - far - size.width(), -size.height() / 2});
        add({r, r + far});
        add({-r - size.width(), r + far});
      }
      if (const auto chosen = placer_.place(places)) {
        haloed(places[*chosen].boundingRect().bottomLeft() - QPointF(0, metrics.descent()), text,
               s_.kernel_colours.at(point->kernel), bold);
        break;
      }
    }
  }
}

}  // namespace

QStringList paintRoofline(QPainter& painter, const RooflineScene& scene, const Theme& theme,
                          const QFont& font, const KernelAnalysis* kernel) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  Painter inner(painter, scene, theme, font);
  inner.axes();
  painter.setClipRect(scene.plot.adjusted(-1, -1, 1, 1));
  // Names first: a roof's label slides along its line to make way, a kernel's cannot move far.
  inner.zones();
  inner.ridges();
  inner.selection(kernel);
  inner.names();
  const QStringList roofs = inner.roofLabels();
  inner.marks();
  painter.restore();
  return roofs;
}

}  // namespace ridgepoint::gui
