// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/kernel_names.h"

#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "gui/models/display.h"
#include "gui/roofline/marker.h"

namespace ridgepoint::gui {
namespace {

// Names beyond these only clutter; every mark still has its tooltip.
constexpr std::size_t most_names = 14;
constexpr double gap = 5;           // between a mark and its name
constexpr double least_nearer = 4;  // than to another kernel's mark, to tell whose a name is
constexpr double shortest_leader = 9;
constexpr double longest_leader = 200;
constexpr double widest_whole = 280;
constexpr std::array<double, 2> elided_widths{200, 120};

// From the nearest place of the box; 0 inside it.
double distance(const QRectF& box, const QPointF& point) {
  const double dx = std::max({box.left() - point.x(), 0.0, point.x() - box.right()});
  const double dy = std::max({box.top() - point.y(), 0.0, point.y() - box.bottom()});
  return std::hypot(dx, dy);
}

struct Mark {
  std::size_t kernel = 0;
  QPointF centre;
  double radius = 0;
};

std::vector<Mark> marksOf(const RooflineScene& scene) {
  std::vector<Mark> marks;
  for (const RooflinePoint& point : scene.roofline.points) {
    const QPointF centre = scene.toPixel(point.intensity, point.flop_per_s);
    if (scene.drawn(point)) {
      marks.push_back({point.kernel, centre, markerRadius(point.time_share)});
    }
  }
  return marks;
}

double distanceToMarks(const std::vector<Mark>& marks, const QRectF& box, std::size_t kernel,
                       bool own) {
  double least = std::numeric_limits<double>::infinity();
  for (const Mark& mark : marks) {
    if ((mark.kernel == kernel) == own) {
      least = std::min(least, distance(box, mark.centre) - mark.radius);
    }
  }
  return least;
}

// The colour says the variant.
QString withoutVariant(const RooflinePoint& point) {
  const QString name = plain(point.label);
  const QString suffix = QStringLiteral(" [%1]").arg(plain(point.variant));
  return !point.variant.empty() && name.size() > suffix.size() && name.endsWith(suffix)
             ? name.chopped(suffix.size())
             : name;
}

class Names {
 public:
  Names(const RooflineScene& scene, const QFontMetricsF& metrics,
        const std::vector<QPolygonF>& wished, const LabelPlacer& roofs, LabelPlacer& placer)
      : s_(scene),
        metrics_(metrics),
        placer_(placer),
        roofs_(roofs),
        marks_(marksOf(scene)),
        shunned_(scene.plot) {
    for (const QPolygonF& area : wished) {
      shunned_.block(area);
    }
  }

  std::vector<KernelName> place();

 private:
  struct Named {
    std::size_t kernel = 0;
    double time_share = 0;
    QStringList whole;        // with its variant, then without
    QStringList elided;       // the longest first
    std::vector<Mark> marks;  // inside the plot
  };
  struct Placed {
    std::optional<KernelName> name;
    int faults = 0;  // elided, over what should stay uncovered, or not at all
  };
  struct Round {
    std::vector<KernelName> names;
    int faults = 0;
    std::size_t worst = 0;
  };
  std::vector<Named> kernels() const;
  Placed name(const Named& kernel) const;
  Round placeInOrder(const std::vector<Named>& named);
  bool isFree(const QRectF& box, bool anywhere) const {
    return placer_.isFree(box) && roofs_.isFree(box) && (anywhere || shunned_.isFree(box));
  }
  // `anywhere`: also over wished places.
  std::optional<KernelName> beside(const Named& kernel, const QString& text, bool anywhere) const;
  std::optional<KernelName> led(const Named& kernel, const QString& text, bool anywhere) const;
  std::optional<QLineF> leaderTo(const Mark& mark, const QRectF& box) const;
  const RooflineScene& s_;
  const QFontMetricsF& metrics_;
  LabelPlacer& placer_;
  const LabelPlacer& roofs_;
  std::vector<Mark> marks_;
  LabelPlacer shunned_;  // what stays uncovered where a name has another place
};

std::vector<Names::Named> Names::kernels() const {
  std::vector<Named> found;
  for (const RooflinePoint& point : s_.roofline.points) {  // by kernel
    const QPointF centre = s_.toPixel(point.intensity, point.flop_per_s);
    if (!s_.drawn(point) || !s_.plot.contains(centre)) {
      continue;
    }
    if (found.empty() || found.back().kernel != point.kernel) {
      found.push_back(
          {point.kernel, point.time_share, {plain(point.label), withoutVariant(point)}, {}, {}});
    }
    found.back().marks.push_back({point.kernel, centre, markerRadius(point.time_share)});
  }
  std::stable_sort(found.begin(), found.end(), [&](const Named& a, const Named& b) {
    const bool a_selected = a.kernel == s_.selected;
    const bool b_selected = b.kernel == s_.selected;
    return a_selected != b_selected ? a_selected : a.time_share > b.time_share;
  });
  found.resize(std::min(found.size(), most_names));
  QStringList bare;
  for (Named& kernel : found) {
    bare << kernel.whole.back();
    kernel.whole.removeDuplicates();
    kernel.whole.removeIf(
        [&](const QString& text) { return metrics_.horizontalAdvance(text) > widest_whole; });
  }
  for (const double width : elided_widths) {
    const QStringList shown = elidedApart(bare, metrics_, width);
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i].elided << shown[static_cast<qsizetype>(i)];
    }
  }
  return found;
}

// Touching, or nearly, a mark of its own: above and below it, then at its sides.
std::optional<KernelName> Names::beside(const Named& kernel, const QString& text,
                                        bool anywhere) const {
  const double w = metrics_.horizontalAdvance(text);
  const double h = metrics_.height();
  for (const Mark& mark : kernel.marks) {
    const QPointF c = mark.centre;
    for (const double far : {0.0, 8.0}) {
      const double r = mark.radius + gap + far;
      const double d = r * 0.7;
      for (const QPointF& from : {QPointF(-w / 2, -r - h), QPointF(-w / 2, r), QPointF(r, -h / 2),
                                  QPointF(-r - w, -h / 2), QPointF(d, d), QPointF(-d - w, d),
                                  QPointF(d, -d - h), QPointF(-d - w, -d - h)}) {
        const QRectF box(c + from, QSizeF(w, h));
        if (isFree(box, anywhere) &&
            distanceToMarks(marks_, box, kernel.kernel, true) + least_nearer <
                distanceToMarks(marks_, box, kernel.kernel, false)) {
          return KernelName{kernel.kernel, text, box, std::nullopt};
        }
      }
    }
  }
  return std::nullopt;
}

// From where it leaves the mark, and those that overlap it: they are painted over the line.
std::optional<QLineF> Names::leaderTo(const Mark& mark, const QRectF& box) const {
  constexpr double step_px = 2;
  constexpr double tip = 1.3;  // of a triangle, beyond its radius
  const QPointF c = mark.centre;
  const QLineF whole(c, QPointF(std::clamp(c.x(), box.left(), box.right()),
                                std::clamp(c.y(), box.top(), box.bottom())));
  const double r = mark.radius;
  double begin = tip * r + 3;
  for (bool inside = true; inside && begin < whole.length(); begin += inside ? step_px : 0) {
    const QPointF at = whole.pointAt(begin / whole.length());
    inside = std::any_of(marks_.begin(), marks_.end(), [&](const Mark& other) {
      const double reach = tip * other.radius;
      return QLineF(c, other.centre).length() < r + reach &&
             QLineF(at, other.centre).length() < reach + 3;
    });
  }
  return begin < whole.length()
             ? std::optional<QLineF>(QLineF(whole.pointAt(begin / whole.length()), whole.p2()))
             : std::nullopt;
}

// Further off, by the shortest line that crosses neither a mark nor a text.
std::optional<KernelName> Names::led(const Named& kernel, const QString& text,
                                     bool anywhere) const {
  constexpr double row_px = 8;
  constexpr double column_px = 20;
  const QSizeF size(metrics_.horizontalAdvance(text), metrics_.height());
  struct Candidate {
    QRectF box;
    const Mark* mark;
    double length;
  };
  std::vector<Candidate> candidates;
  for (const Mark& mark : kernel.marks) {
    const QPointF c = mark.centre;
    const double r = mark.radius;
    const double reach = r + longest_leader;
    for (double top = -reach - size.height(); top <= reach; top += row_px) {
      for (double left = -reach - size.width(); left <= reach; left += column_px) {
        const QRectF box(c + QPointF(left, top), size);
        const double length = distance(box, c) - r;
        if (length >= shortest_leader && length <= longest_leader) {
          candidates.push_back({box, &mark, length});
        }
      }
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.length < b.length; });
  for (const Candidate& one : candidates) {
    if (!isFree(one.box, anywhere) ||
        distanceToMarks(marks_, one.box, kernel.kernel, false) < least_nearer) {
      continue;
    }
    const std::optional<QLineF> leader = leaderTo(*one.mark, one.box);
    if (leader && placer_.isFree(stripOf(*leader))) {
      return KernelName{kernel.kernel, text, one.box, leader};
    }
  }
  return std::nullopt;
}

Names::Placed Names::name(const Named& kernel) const {
  for (const QStringList* texts : {&kernel.whole, &kernel.elided}) {
    for (const bool anywhere : {false, true}) {
      const int faults = (texts == &kernel.elided ? 3 : 0) + (anywhere ? 1 : 0);
      for (const QString& text : *texts) {
        if (auto found = beside(kernel, text, anywhere)) {
          return {found, faults};
        }
      }
      for (const QString& text : *texts) {
        if (auto found = led(kernel, text, anywhere)) {
          return {found, faults};
        }
      }
    }
  }
  return {std::nullopt, 12};
}

// In the order given. `worst`: the place in it of the kernel that fared worst.
Names::Round Names::placeInOrder(const std::vector<Named>& named) {
  Round round;
  int most = 0;
  for (std::size_t i = 0; i < named.size(); ++i) {
    const Placed placed = name(named[i]);
    round.faults += placed.faults;
    if (placed.faults > most) {
      most = placed.faults;
      round.worst = i;
    }
    if (placed.name) {
      placer_.block(placed.name->box);
      if (placed.name->leader) {
        placer_.block(*placed.name->leader);
      }
      round.names.push_back(*placed.name);
    }
  }
  return round;
}

std::vector<KernelName> Names::place() {
  constexpr int most_rounds = 6;
  std::vector<Named> named = kernels();
  const LabelPlacer empty = placer_;
  std::optional<Round> best;
  LabelPlacer filled = placer_;
  for (int i = 0; i < most_rounds; ++i) {
    placer_ = empty;
    Round round = placeInOrder(named);
    const std::size_t worst = round.worst;
    if (!best || round.faults < best->faults) {
      best = std::move(round);
      filled = placer_;
    }
    if (best->faults == 0 || worst == 0) {
      break;
    }
    // The kernel that fared worst chooses first in the next round.
    std::rotate(named.begin(), named.begin() + static_cast<std::ptrdiff_t>(worst),
                named.begin() + static_cast<std::ptrdiff_t>(worst) + 1);
  }
  placer_ = filled;
  return best->names;
}

}  // namespace

double distanceToMarks(const RooflineScene& scene, const QRectF& box, std::size_t kernel,
                       bool own) {
  return distanceToMarks(marksOf(scene), box, kernel, own);
}

std::vector<KernelName> placeKernelNames(const RooflineScene& scene, const QFontMetricsF& metrics,
                                         const std::vector<QPolygonF>& wished,
                                         const LabelPlacer& roofs, LabelPlacer& placer) {
  return Names(scene, metrics, wished, roofs, placer).place();
}

}  // namespace ridgepoint::gui
