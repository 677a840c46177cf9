// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/roofline_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gui/models/display.h"
#include "gui/roofline/label_placer.h"
#include "gui/roofline/marker.h"
#include "gui/roofline/roof_labels.h"
#include "gui/roofline/roofline_axes.h"

namespace ridgepoint::gui {
namespace {

constexpr double least_nearer_px = 4;  // than to another ridge, to tell whose a label is

class Painter {
 public:
  Painter(QPainter& painter, const RooflineScene& scene, const Theme& theme, const QFont& font)
      : p_(painter),
        s_(scene),
        t_(theme),
        font_(font),
        small_(smaller(font)),
        small_metrics_(small_),
        placer_(scene.plot),
        roof_labels_(scene, small_metrics_, placer_) {
    for (const RooflinePoint& point : s_.roofline.points) {
      if (s_.drawn(point)) {
        constexpr double rim = 1.5;
        placer_.block(markerPath(point.level, centre(point), markerRadius(point.time_share) + rim)
                          .toFillPolygon());
      }
    }
  }

  void axes() { paintAxisLabels(p_, s_, t_, font_, small_); }
  void reserveRoofLabels() { wished_ = roof_labels_.reserve(); }
  RoofLabels roofLabels();
  void zones();
  void ridges();
  void selection(const KernelAnalysis* kernel);
  void marks();
  std::vector<KernelName> names();

 private:
  static QFont smaller(QFont font) {
    font.setPointSizeF(std::max(6.0, font.pointSizeF() * 0.92));
    return font;
  }
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
  QFontMetricsF small_metrics_;
  LabelPlacer placer_;
  RoofLabelling roof_labels_;
  std::vector<QPolygonF> wished_;  // by roof labels
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

RoofLabels Painter::roofLabels() {
  const QFontMetricsF& metrics = small_metrics_;
  RoofLabels labels = roof_labels_.finish();
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
  return labels;
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
  const QFontMetricsF& metrics = small_metrics_;
  double highest = 0;
  for (const RidgePoint& ridge : s_.roofline.ridges) {
    highest = std::max(highest, ridge.flop_per_s);
  }
  std::vector<const RidgePoint*> named;
  for (const RidgePoint& ridge : s_.roofline.ridges) {
    const QPointF at = s_.toPixel(ridge.intensity, ridge.flop_per_s);
    if (!s_.visible(ridge) || !s_.plot.contains(at)) {
      continue;
    }
    p_.setPen(QPen(t_.muted, 1.5));
    p_.setBrush(t_.surface);
    p_.drawEllipse(at, 3.5, 3.5);
    if (ridge.flop_per_s >= highest) {  // the ridges of the highest roof divide the chart
      named.push_back(&ridge);
    }
  }
  // From the right, where HBM's is; the others make way to the left.
  std::stable_sort(named.begin(), named.end(), [](const RidgePoint* a, const RidgePoint* b) {
    return a->intensity > b->intensity;
  });
  const auto overAnother = [&](const QRectF& box, const RidgePoint& own) {
    const auto aside = [&](const RidgePoint& ridge) {
      return std::abs(s_.toPixel(ridge.intensity, ridge.flop_per_s).x() - box.center().x());
    };
    return std::any_of(named.begin(), named.end(), [&](const RidgePoint* other) {
      return other != &own && aside(*other) < aside(own) + least_nearer_px;
    });
  };
  for (const RidgePoint* ridge : named) {
    const QPointF at = s_.toPixel(ridge->intensity, ridge->flop_per_s);
    const QString text = plain(ridge->label);
    constexpr double pad = 4;  // or two of them would read as one
    const QSizeF size(metrics.horizontalAdvance(text) + 2 * pad, metrics.height());
    std::vector<QPolygonF> places;
    for (const double dy : {-22.0, -36.0}) {
      for (const double left : {0.5, 0.75, 1.0}) {
        const QRectF box(at + QPointF(-size.width() * left, dy), size);
        if (!overAnother(box, *ridge)) {
          places.emplace_back(box);
        }
      }
    }
    for (const double dy : {8.0, 22.0, 36.0}) {
      places.emplace_back(QRectF(at + QPointF(6 - pad, dy), size));
    }
    std::stable_partition(places.begin(), places.end(), [&](const QPolygonF& place) {
      return std::none_of(wished_.begin(), wished_.end(),
                          [&](const QPolygonF& wish) { return overlap(place, wish); });
    });
    if (const auto chosen = placer_.place(places)) {
      haloed(places[*chosen].boundingRect().bottomLeft() + QPointF(pad, -metrics.descent()), text,
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

std::vector<KernelName> Painter::names() {
  QFont bold = font_;
  bold.setWeight(QFont::DemiBold);
  const QFontMetricsF metrics(bold);
  std::vector<KernelName> names = placeKernelNames(s_, metrics, wished_, placer_);
  for (const KernelName& name : names) {
    const QColor colour = s_.kernel_colours.at(name.kernel);
    if (name.leader) {
      p_.setPen(QPen(t_.surface, 3));
      p_.drawLine(*name.leader);
      p_.setPen(QPen(colour, 1.2));
      p_.drawLine(*name.leader);
    }
    haloed(name.box.bottomLeft() - QPointF(0, metrics.descent()), name.text, colour, bold);
  }
  return names;
}

}  // namespace

RooflineNames paintRoofline(QPainter& painter, const RooflineScene& scene, const Theme& theme,
                            const QFont& font, const KernelAnalysis* kernel) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  Painter inner(painter, scene, theme, font);
  inner.axes();
  painter.setClipRect(scene.plot.adjusted(-1, -1, 1, 1));
  // Every roof keeps a place at its line; what is longer gives way to the kernels' names, which
  // cannot move far.
  inner.zones();
  inner.reserveRoofLabels();
  inner.ridges();
  inner.selection(kernel);
  RooflineNames names;
  names.kernels = inner.names();
  names.roofs = inner.roofLabels();
  inner.marks();
  painter.restore();
  return names;
}

}  // namespace ridgepoint::gui
