// SPDX-License-Identifier: GPL-3.0-or-later
// Where the roofs' names stand: along their lines, shorter where there is little room, and in a
// list beside a sample of the line where a line has none, so that no roof goes without.
#pragma once

#include <QFontMetricsF>
#include <QPolygonF>
#include <QRectF>
#include <QStringList>
#include <QTransform>
#include <optional>
#include <string>
#include <vector>

#include "gui/roofline/label_placer.h"
#include "gui/roofline/roofline_scene.h"

namespace ridgepoint::gui {

struct RoofLabel {
  std::string id;       // of the roof
  QString text;         // two lines where that is what fits
  QTransform place;     // of the first baseline's start
  double baseline = 0;  // below that place
  QPolygonF area;
};

struct ListedRoof {
  QString text;
  QLineF line;  // of the roof inside the plot
  bool measured = false;
};

struct RoofLabels {
  std::vector<RoofLabel> along;
  std::vector<ListedRoof> listed;  // one below the other in `list`
  QRectF list;
};

constexpr double roof_sample_px = 26;  // of its line, before a listed roof's name

// Of the visible roofs that cross the plot. A measured roof shares the label of its theoretical
// one. Kernel names are placed between the two steps.
class RoofLabelling {
 public:
  RoofLabelling(const RooflineScene& scene, const QFontMetricsF& metrics, LabelPlacer& placer);

  // Keeps room for the shortest name of each roof, with its value that of the highest compute roof,
  // and for all that is told of HBM's, the one most asked about. Gives where names with values
  // would stand: what comes next had better leave it.
  std::vector<QPolygonF> reserve();
  // Names as long as the room that is left allows.
  RoofLabels finish();

 private:
  struct NamedRoof {
    const RooflineRoof* roof;
    QLineF line;
    std::vector<QStringList> texts;  // ways to write the same; those that tell most first
    std::optional<RoofLabel> label;
  };

  // What tells most, from `first` on, of what has a place.
  std::optional<RoofLabel> place(const NamedRoof& roof, std::size_t first);
  bool placeList(RoofLabels& labels);

  const RooflineScene& scene_;
  const QFontMetricsF& metrics_;
  LabelPlacer& placer_;
  std::vector<QLineF> lines_;     // of all visible roofs
  std::vector<NamedRoof> named_;  // the most important first
};

}  // namespace ridgepoint::gui
