// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/roofline_texts.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/models/display.h"
#include "gui/roofline/label_placer.h"
#include "gui/roofline/marker.h"

namespace ridgepoint::gui {
namespace {

constexpr double least_nearer_px = 4;  // than to another ridge, to tell whose a label is

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

class Placing {
 public:
  Placing(const RooflineScene& scene, const QFont& font)
      : s_(scene),
        bold_(boldRooflineFont(font)),
        small_(smallRooflineFont(font)),
        placer_(scene.plot),
        roofs_(scene.plot),
        roof_labels_(scene, small_, placer_) {
    for (const RooflinePoint& point : s_.roofline.points) {
      if (s_.drawn(point)) {
        constexpr double rim = 1.5;
        placer_.block(markerPath(point.level, centre(point), markerRadius(point.time_share) + rim)
                          .toFillPolygon());
      }
    }
    for (const RooflineRoof& roof : s_.roofline.roofs) {
      if (s_.visible(roof)) {
        roofs_.block(QLineF(s_.toPixel(roof.x0, roof.y0), s_.toPixel(roof.x1, roof.y1)));
      }
    }
  }

  // Every roof keeps a place at its line; what is longer gives way to the kernels' names, which
  // cannot move far.
  RooflineTexts place(const KernelAnalysis* kernel) {
    zones();
    wished_ = roof_labels_.reserve();
    ridges();
    selection(kernel);
    texts_.kernels = placeKernelNames(s_, bold_, wished_, roofs_, placer_);
    texts_.roofs = roof_labels_.finish();
    return std::move(texts_);
  }

 private:
  void zones();
  void ridges();
  void selection(const KernelAnalysis* kernel);
  void headroom(const RooflinePoint& at, double factor);
  QPointF centre(const RooflinePoint& point) const {
    return s_.toPixel(point.intensity, point.flop_per_s);
  }
  bool offRoofs(const QPolygonF& place) const { return roofs_.isFree(place); }

  const RooflineScene& s_;
  QFontMetricsF bold_;
  QFontMetricsF small_;
  LabelPlacer placer_;
  LabelPlacer roofs_;  // their lines
  RoofLabelling roof_labels_;
  std::vector<QPolygonF> wished_;  // by roof labels
  RooflineTexts texts_;
};

// Left of the dividing ridge kernels are bound by HBM.
void Placing::zones() {
  const RidgePoint* ridge = dividing_ridge(s_.roofline);
  if (ridge == nullptr || !s_.visible(*ridge)) {
    return;
  }
  const double x = s_.toPixel(ridge->intensity, ridge->flop_per_s).x();
  if (x <= s_.plot.left() || x >= s_.plot.right()) {
    return;
  }
  const QString left = QCoreApplication::translate("Roofline", "bound by HBM");
  const QString right = QCoreApplication::translate("Roofline", "bound by compute");
  const double y = s_.plot.bottom() - 6;
  const double before = small_.horizontalAdvance(left);
  const double after = small_.horizontalAdvance(right);
  const double top = y - small_.ascent();
  texts_.zones = {{left, {x - 6 - before, y}, QRectF(x - 6 - before, top, before, small_.height())},
                  {right, {x + 6, y}, QRectF(x + 6, top, after, small_.height())}};
  placer_.block(QRectF(x - 6 - before, top, before + 12 + after, small_.height()));
}

void Placing::ridges() {
  double highest = 0;
  for (const RidgePoint& ridge : s_.roofline.ridges) {
    highest = std::max(highest, ridge.flop_per_s);
  }
  std::vector<const RidgePoint*> named;
  for (const RidgePoint& ridge : s_.roofline.ridges) {
    // The ridges of the highest roof divide the chart.
    if (s_.visible(ridge) && ridge.flop_per_s >= highest &&
        s_.plot.contains(s_.toPixel(ridge.intensity, ridge.flop_per_s)) &&
        std::none_of(named.begin(), named.end(), [&](const RidgePoint* other) {
          // Two types of one peak, FP8 and INT8, meet a level at one point.
          return other->bandwidth_id == ridge.bandwidth_id && other->label == ridge.label;
        })) {
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
    const QSizeF size(small_.horizontalAdvance(text) + 2 * pad, small_.height());
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
    places.erase(std::remove_if(places.begin(), places.end(),
                                [&](const QPolygonF& place) { return !offRoofs(place); }),
                 places.end());
    std::stable_partition(places.begin(), places.end(), [&](const QPolygonF& place) {
      return std::none_of(wished_.begin(), wished_.end(),
                          [&](const QPolygonF& wish) { return overlap(place, wish); });
    });
    if (const auto chosen = placer_.place(places)) {
      const QRectF box = places[*chosen].boundingRect();
      texts_.ridges.push_back({text, box.bottomLeft() + QPointF(pad, -small_.descent()), box});
    }
  }
}

void Placing::selection(const KernelAnalysis* kernel) {
  std::vector<const RooflinePoint*> own;
  for (const RooflinePoint& point : s_.roofline.points) {
    if (point.kernel == s_.selected) {
      own.push_back(&point);
    }
  }
  for (std::size_t i = 1; i < own.size(); ++i) {
    placer_.block(QLineF(centre(*own[i - 1]), centre(*own[i])));
  }
  // The ruler stands at the intensity of the level that binds; compute binds at every level.
  // Room below a busy pipe is no distance on this chart: it would end below the FLOP ceiling.
  if (kernel == nullptr || !kernel->headroom || *kernel->headroom <= 1.005 ||
      !kernel->bound_pipe.empty()) {
    return;
  }
  const auto at = std::find_if(own.begin(), own.end(), [&](const RooflinePoint* point) {
    return kernel->bound_by == BoundBy::compute ||
           std::string(key(kernel->bound_by)) == key(point->level);
  });
  if (at != own.end()) {
    headroom(**at, *kernel->headroom);
  }
}

void Placing::headroom(const RooflinePoint& at, double factor) {
  const QPointF from = centre(at);
  QPointF to = s_.toPixel(at.intensity, at.flop_per_s * factor);
  if (endsAtRoof(s_, at, factor)) {
    texts_.ruler = QLineF(from, to);
    placer_.block(*texts_.ruler);
  } else {
    to = from - QPointF(0, markerRadius(at.time_share) + 40);  // the figure alone, near its mark
  }
  const QString text = QStringLiteral("%1 headroom").arg(quantity(factor, Unit::factor));
  const QSizeF size(small_.horizontalAdvance(text), small_.height());
  std::vector<QPolygonF> places;
  for (const double along : {0.5, 0.7, 0.3, 0.9, 1.2}) {
    const QPointF anchor = from + (to - from) * along;
    places.emplace_back(QRectF(anchor + QPointF(7, -size.height() / 2), size));
    places.emplace_back(QRectF(anchor + QPointF(-7 - size.width(), -size.height() / 2), size));
  }
  std::stable_partition(places.begin(), places.end(),
                        [&](const QPolygonF& place) { return offRoofs(place); });
  if (const auto chosen = placer_.place(places)) {
    const QRectF box = places[*chosen].boundingRect();
    texts_.headroom = RooflineText{text, box.bottomLeft() - QPointF(0, small_.descent()), box};
  }
}

}  // namespace

QFont smallRooflineFont(const QFont& font) {
  QFont small = font;
  small.setPointSizeF(std::max(6.0, font.pointSizeF() * 0.92));
  return small;
}

QFont boldRooflineFont(const QFont& font) {
  QFont bold = font;
  bold.setWeight(QFont::DemiBold);
  return bold;
}

RooflineTexts placeRooflineTexts(const RooflineScene& scene, const QFont& font,
                                 const KernelAnalysis* kernel) {
  return Placing(scene, font).place(kernel);
}

}  // namespace ridgepoint::gui
