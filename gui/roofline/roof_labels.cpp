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

// "L2 15.4 TB/s, measured 8.97 TB/s" in one line or two, then "L2 15.4 TB/s", then "L2".
std::vector<QStringList> textsOf(const RooflineScene& scene, const RooflineRoof& roof) {
  const QString label = plain(roof.label);
  std::vector<QStringList> texts;
  for (const RooflineRoof& other : scene.roofline.roofs) {
    if (!roof.measured && other.measured && other.id == roof.id && scene.visible(other)) {
      const QString measured = QStringLiteral("measured ") + quantity(other.value, unitOf(other));
      texts.push_back(
          {label + QStringLiteral(", ") + measured, label + QLatin1Char('\n') + measured});
    }
  }
  texts.push_back({label});
  const qsizetype value = label.indexOf(QLatin1Char(' ') + quantity(roof.value, unitOf(roof)));
  if (value > 0) {
    texts.push_back({label.left(value)});
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

// Lines that run nearly along a text make it unreadable; one that crosses it takes a letter or two,
// which its halo brings back.
bool alongside(const QLineF& a, const QLineF& b) {
  constexpr double least_degrees = 10;
  const double angle = std::fmod(a.angleTo(b), 180);
  return angle < least_degrees || angle > 180 - least_degrees;
}

// Bandwidth roofs are read from their foot, compute roofs from their right end; above the line
// before below it.
std::vector<RoofLabel> placesOf(const RooflineRoof& roof, const QLineF& line, const QString& text,
                                const QFontMetricsF& metrics) {
  const QStringList rows = text.split(QLatin1Char('\n'));
  double width = 0;
  for (const QString& row : rows) {
    width = std::max(width, metrics.horizontalAdvance(row));
  }
  const double height = metrics.height() * static_cast<double>(rows.size());
  std::vector<RoofLabel> labels;
  for (const bool above : {true, false}) {
    const double top = above ? -height - off_line : off_line;
    for (double gone = step_px; gone + width < line.length(); gone += step_px) {
      const double from = roof.kind == CeilingKind::bandwidth ? gone : line.length() - gone - width;
      const QPointF anchor = line.pointAt(from / line.length());
      RoofLabel label{roof.id, text, {}, top + metrics.ascent(), {}};
      label.place.translate(anchor.x(), anchor.y());
      label.place.rotate(-line.angle());
      label.area = label.place.map(QPolygonF(QRectF(0, top, width, height)));
      labels.push_back(std::move(label));
    }
  }
  return labels;
}

// HBM, then the compute roofs, the highest first, then the other bandwidths.
int rank(const RooflineRoof& roof) {
  return roof.id == key(MemoryLevel::hbm) ? 0 : (roof.kind == CeilingKind::compute ? 1 : 2);
}

}  // namespace

RoofLabelling::RoofLabelling(const RooflineScene& scene, const QFontMetricsF& metrics,
                             LabelPlacer& placer)
    : scene_(scene), metrics_(metrics), placer_(placer) {
  std::set<std::string> theoretical;
  for (const RooflineRoof& roof : scene.roofline.roofs) {
    if (scene.visible(roof)) {
      lines_.emplace_back(scene.toPixel(roof.x0, roof.y0), scene.toPixel(roof.x1, roof.y1));
      if (!roof.measured) {
        theoretical.insert(roof.id);
      }
    }
  }
  for (const RooflineRoof& roof : scene.roofline.roofs) {
    if (!scene.visible(roof) || (roof.measured && theoretical.count(roof.id) > 0)) {
      continue;
    }
    if (const std::optional<QLineF> line = inside(
            scene.plot, QLineF(scene.toPixel(roof.x0, roof.y0), scene.toPixel(roof.x1, roof.y1)))) {
      named_.push_back({&roof, *line, textsOf(scene, roof), {}});
    }
  }
  std::stable_sort(named_.begin(), named_.end(), [](const NamedRoof& a, const NamedRoof& b) {
    return rank(*a.roof) != rank(*b.roof) ? rank(*a.roof) < rank(*b.roof)
                                          : a.roof->value > b.roof->value;
  });
}

std::optional<RoofLabel> RoofLabelling::place(const NamedRoof& roof, std::size_t first) {
  const auto struck = [&](const RoofLabel& label, bool across_too) {
    return std::any_of(lines_.begin(), lines_.end(), [&](const QLineF& other) {
      return (across_too || alongside(other, roof.line)) && crosses(label.area, other);
    });
  };
  // Crossed by another roof only where no shorter one has a place of its own.
  for (const bool across_too : {true, false}) {
    for (std::size_t i = first; i < roof.texts.size(); ++i) {
      for (const QString& text : roof.texts[i]) {
        for (RoofLabel& label : placesOf(*roof.roof, roof.line, text, metrics_)) {
          if (!struck(label, across_too) && placer_.isFree(label.area)) {
            placer_.block(label.area);
            return std::move(label);
          }
        }
      }
    }
  }
  return std::nullopt;
}

std::vector<QPolygonF> RoofLabelling::reserve() {
  for (NamedRoof& roof : named_) {
    // The highest compute roof, over which the ridges are named, with its value from the start.
    const bool highest = rank(*roof.roof) == 1 &&
                         std::none_of(named_.begin(), named_.end(), [&](const NamedRoof& other) {
                           return rank(*other.roof) == 1 && other.roof->value > roof.roof->value;
                         });
    const std::size_t least = std::min<std::size_t>(roof.texts.size(), highest ? 2 : 1);
    roof.label = place(roof, rank(*roof.roof) == 0 ? 0 : roof.texts.size() - least);
  }
  std::vector<QPolygonF> wishes;
  for (const NamedRoof& roof : named_) {
    if (!roof.label || rank(*roof.roof) == 0) {
      continue;
    }
    placer_.release(roof.label->area);
    if (const std::optional<RoofLabel> with_value =
            place(roof, roof.texts.size() - std::min<std::size_t>(roof.texts.size(), 2))) {
      wishes.push_back(with_value->area);
      placer_.release(with_value->area);
    }
    placer_.block(roof.label->area);
  }
  return wishes;
}

RoofLabels RoofLabelling::finish() {
  RoofLabels labels;
  std::vector<const NamedRoof*> left;
  for (NamedRoof& roof : named_) {
    if (roof.label) {
      placer_.release(roof.label->area);
    }
    // Its own place is free again, so that at least the name that was reserved fits.
    if (std::optional<RoofLabel> label = place(roof, 0)) {
      labels.along.push_back(std::move(*label));
    } else {
      labels.listed.push_back({roof.texts.front().front(), roof.line, roof.roof->measured});
      left.push_back(&roof);
    }
  }
  if (!left.empty() && !placeList(labels)) {
    labels.listed.clear();
    lines_.clear();  // struck through by another roof, rather than not at all
    for (const NamedRoof* roof : left) {
      if (std::optional<RoofLabel> label = place(*roof, 0)) {
        labels.along.push_back(std::move(*label));
      }
    }
  }
  return labels;
}

bool RoofLabelling::placeList(RoofLabels& labels) {
  const QRectF& plot = scene_.plot;
  double width = 0;
  for (const ListedRoof& roof : labels.listed) {
    width = std::max(width, roof_sample_px + metrics_.horizontalAdvance(roof.text));
  }
  const QSizeF size(width, metrics_.height() * static_cast<double>(labels.listed.size()));
  std::vector<QRectF> boxes;
  std::vector<QPolygonF> places;
  for (double y = plot.bottom() - size.height() - 6; y > plot.top(); y -= step_px) {
    for (const double x : {plot.right() - size.width() - 6, plot.left() + 6}) {
      boxes.emplace_back(QPointF(x, y), size);
      places.emplace_back(boxes.back());
    }
  }
  const std::optional<std::size_t> chosen = placer_.place(places);
  if (chosen) {
    labels.list = boxes[*chosen];
  }
  return chosen.has_value();
}

}  // namespace ridgepoint::gui
