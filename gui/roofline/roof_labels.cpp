// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/roof_labels.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "gui/models/display.h"

namespace ridgepoint::gui {
namespace {

constexpr double off_line = 2;
constexpr double step_px = 8;  // between the places along a line that are tried

Unit unitOf(const RooflineRoof& roof) {
  return roof.kind == CeilingKind::bandwidth ? Unit::byte_per_s : Unit::flop_per_s;
}

// The longest first: "L2 15.4 TB/s, measured 8.97 TB/s", "L2 15.4 TB/s", "L2".
QStringList textsOf(const RooflineScene& scene, const RooflineRoof& roof) {
  const QString label = plain(roof.label);
  QStringList texts;
  for (const RooflineRoof& other : scene.roofline.roofs) {
    if (!roof.measured && other.measured && other.id == roof.id && scene.visible(other)) {
      texts << label + QStringLiteral(", measured %1").arg(quantity(other.value, unitOf(other)));
    }
  }
  texts << label;
  const qsizetype value = label.indexOf(QLatin1Char(' ') + quantity(roof.value, unitOf(roof)));
  if (value > 0) {
    texts << label.left(value);
  }
  return texts;
}

// The part of the line inside the plot; nothing when it does not cross it.
std::optional<QLineF> inside(const QRectF& plot, const QLineF& line) {
  std::optional<QPointF> first;
  QPointF last;
  const int steps = std::max(1, static_cast<int>(std::ceil(line.length() / step_px)));
  for (int step = 0; step <= steps; ++step) {
    const QPointF at = line.pointAt(static_cast<double>(step) / steps);
    if (plot.contains(at)) {
      first = first.value_or(at);
      last = at;
    }
  }
  return first && *first != last ? std::optional<QLineF>(QLineF(*first, last)) : std::nullopt;
}

bool crosses(const QPolygonF& box, const QLineF& line) {
  for (qsizetype i = 0; i < box.size(); ++i) {
    if (line.intersects(QLineF(box[i], box[(i + 1) % box.size()]), nullptr) ==
        QLineF::BoundedIntersection) {
      return true;
    }
  }
  return box.containsPoint(line.p1(), Qt::OddEvenFill);
}

// Bandwidth roofs are read from their foot, compute roofs from their right end; above the line
// before below it. `through`: lines that the label must not cover.
std::optional<RoofLabel> onLine(const RooflineRoof& roof, const QLineF& line, const QString& text,
                                const QFontMetricsF& metrics, const std::vector<QLineF>& through,
                                LabelPlacer& placer) {
  const double width = metrics.horizontalAdvance(text);
  std::vector<RoofLabel> labels;
  std::vector<QPolygonF> places;
  for (const bool above : {true, false}) {
    for (double gone = step_px; gone + width < line.length(); gone += step_px) {
      const double from = roof.kind == CeilingKind::bandwidth ? gone : line.length() - gone - width;
      const QPointF anchor = line.pointAt(from / line.length());
      RoofLabel label{
          text, {}, above ? -off_line - metrics.descent() : off_line + metrics.ascent()};
      label.place.translate(anchor.x(), anchor.y());
      label.place.rotate(-line.angle());
      const QRectF box(0, above ? -metrics.height() - off_line : off_line, width, metrics.height());
      QPolygonF place = label.place.map(QPolygonF(box));
      if (std::none_of(through.begin(), through.end(),
                       [&](const QLineF& other) { return crosses(place, other); })) {
        places.push_back(std::move(place));
        labels.push_back(std::move(label));
      }
    }
  }
  const std::optional<std::size_t> chosen = placer.place(places);
  return chosen ? std::optional<RoofLabel>(labels[*chosen]) : std::nullopt;
}

bool placeList(const QRectF& plot, const QFontMetricsF& metrics, LabelPlacer& placer,
               RoofLabels& labels) {
  double width = 0;
  for (const QString& text : labels.listed) {
    width = std::max(width, metrics.horizontalAdvance(text));
  }
  const QSizeF size(width, metrics.height() * static_cast<double>(labels.listed.size()));
  std::vector<QRectF> boxes;
  std::vector<QPolygonF> places;
  for (double y = plot.bottom() - size.height() - 6; y > plot.top(); y -= step_px) {
    for (const double x : {plot.right() - size.width() - 6, plot.left() + 6}) {
      boxes.emplace_back(QPointF(x, y), size);
      places.emplace_back(boxes.back());
    }
  }
  const std::optional<std::size_t> chosen = placer.place(places);
  if (chosen) {
    labels.list = boxes[*chosen];
  }
  return chosen.has_value();
}

// A visible roof that crosses the plot, without the measured ones that share a label.
struct NamedRoof {
  const RooflineRoof* roof;
  QLineF line;
  QStringList texts;  // the longest first
};

std::vector<NamedRoof> namedRoofs(const RooflineScene& scene) {
  std::set<std::string> theoretical;
  for (const RooflineRoof& roof : scene.roofline.roofs) {
    if (!roof.measured && scene.visible(roof)) {
      theoretical.insert(roof.id);
    }
  }
  std::vector<NamedRoof> named;
  for (const RooflineRoof& roof : scene.roofline.roofs) {
    if (!scene.visible(roof) || (roof.measured && theoretical.count(roof.id) > 0)) {
      continue;
    }
    if (const std::optional<QLineF> line = inside(
            scene.plot, QLineF(scene.toPixel(roof.x0, roof.y0), scene.toPixel(roof.x1, roof.y1)))) {
      named.push_back({&roof, *line, textsOf(scene, roof)});
    }
  }
  return named;
}

}  // namespace

RoofLabels placeRoofLabels(const RooflineScene& scene, const QFontMetricsF& metrics,
                           LabelPlacer& placer) {
  std::vector<QLineF> lines;
  for (const RooflineRoof& roof : scene.roofline.roofs) {
    if (scene.visible(roof)) {
      lines.emplace_back(scene.toPixel(roof.x0, roof.y0), scene.toPixel(roof.x1, roof.y1));
    }
  }
  RoofLabels labels;
  const auto place = [&](const NamedRoof& one, const std::vector<QLineF>& through) {
    for (const QString& text : one.texts) {
      if (const auto label = onLine(*one.roof, one.line, text, metrics, through, placer)) {
        labels.along.push_back(*label);
        return true;
      }
    }
    return false;
  };
  std::vector<NamedRoof> left;
  for (NamedRoof& one : namedRoofs(scene)) {
    if (!place(one, lines)) {
      labels.listed << one.texts.front();
      left.push_back(std::move(one));
    }
  }
  if (!left.empty() && !placeList(scene.plot, metrics, placer, labels)) {
    labels.listed.clear();
    for (const NamedRoof& one : left) {
      place(one, {});  // struck through by another roof, rather than not at all
    }
  }
  return labels;
}

}  // namespace ridgepoint::gui
