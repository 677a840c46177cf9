#include "reports/charts/roofline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "reports/charts/label_placement.h"
#include "reports/charts/palette.h"
#include "reports/escape.h"
#include "reports/presenters/elide.h"
#include "reports/presenters/roofline.h"

namespace ridgepoint {
namespace {

constexpr double canvas_width = 1040;
constexpr double canvas_height = 640;
constexpr Box plot{84, 64, canvas_width - 84 - 24, canvas_height - 64 - 60};
constexpr double label_size = 13;
constexpr std::size_t labelled_kernels = 14;  // more would cover the chart; tooltips name the rest
constexpr std::size_t longest_label = 30;

// Of a proportional sans-serif font, on the generous side.
double text_width(const std::string& text, double size) {
  return static_cast<double>(display_width(text)) * size * 0.56;
}

class Drawing {
 public:
  Drawing(const Analysis& analysis, const Roofline& chart)
      : analysis_(analysis), chart_(chart), labels_(plot) {}

  std::string draw() {
    // The page's script zooms: it needs to know where the plot lies and what its axes span.
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"roofline\" viewBox=\"0 0 {} {}\" "
        "data-plot=\"{} {} {} {}\" data-decades=\"{:.6f} {:.6f} {:.6f} {:.6f}\" "
        "role=\"group\" aria-label=\"Roofline chart\" font-family=\"system-ui, -apple-system, "
        "'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif\">\n",
        canvas_width, canvas_height, plot.x, plot.y, plot.width, plot.height,
        std::log10(chart_.x.minimum), std::log10(chart_.x.maximum), std::log10(chart_.y.minimum),
        std::log10(chart_.y.maximum));
    draw_axes();
    // A nested <svg> clips what is zoomed out of the plot; a clipPath would need url(), which the
    // page must not have.
    add("<svg class=\"plot\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" "
        "viewBox=\"{0} {1} {2} {3}\">\n",
        plot.x, plot.y, plot.width, plot.height);
    block_points();
    draw_roofs();
    draw_ridge();
    draw_points();
    add("</svg>\n");
    draw_legend();
    return svg_ + "</svg>\n";
  }

 private:
  double px(double intensity) const { return plot.x + chart_.x.fraction(intensity) * plot.width; }
  double py(double rate) const { return plot.y + (1 - chart_.y.fraction(rate)) * plot.height; }
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
  }

  void draw_axes();
  void draw_roofs();
  void draw_compute_label(const RooflineRoof& roof);
  void draw_bandwidth_label(const RooflineRoof& roof);
  void block_points();
  void draw_ridge();
  void draw_points();
  void draw_mark(MemoryLevel level, double x, double y, double radius);
  void draw_point_labels();
  void draw_legend();
  std::string series_of(const RooflinePoint& point) const;
  static std::string precision_attribute(const std::string& precision) {
    return " data-precision=\"" + escape_xml(precision) + "\"";
  }
  std::string precision_of(const RooflinePoint& point) const {
    return precision_attribute(analysis_.kernels[point.kernel].flop.precision);
  }
  double radius_of(const RooflinePoint& point) const {
    return (point.level == MemoryLevel::hbm ? 7 : 5) + 7 * std::sqrt(point.time_share);
  }

  const Analysis& analysis_;
  const Roofline& chart_;
  LabelPlacement labels_;
  std::map<std::size_t, std::pair<double, double>> extent_;  // of each kernel's marks in x
  std::string svg_;
};

void Drawing::draw_axes() {
  const double bottom = plot.y + plot.height;
  add("<g class=\"ticks\">\n");
  for (const RooflineTick& tick : chart_.x.ticks) {
    const double x = px(tick.value);
    add("<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n", x,
        plot.y, bottom);
    add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x,
        bottom + 20, tick.label);
  }
  for (const RooflineTick& tick : chart_.y.ticks) {
    const double y = py(tick.value);
    add("<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{2:.1f}\" x2=\"{1:.1f}\" y2=\"{2:.1f}\"/>\n",
        plot.x, plot.x + plot.width, y);
    add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
        plot.x - 10, y + 4, tick.label);
  }
  add("</g>\n");
  add("<path class=\"axis\" d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\"/>\n", plot.x, plot.y, bottom,
      plot.x + plot.width);
  add("<text class=\"axis-title\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
      plot.x + plot.width / 2, bottom + 46, chart_.x.title);
  add("<text class=\"axis-title\" text-anchor=\"middle\" transform=\"translate(22 {:.1f}) "
      "rotate(-90)\">{}</text>\n",
      plot.y + plot.height / 2, chart_.y.title);
}

void Drawing::draw_roofs() {
  for (const RooflineRoof& roof : chart_.roofs) {
    labels_.block_line(px(roof.x0), py(roof.y0), px(roof.x1), py(roof.y1), 3);
  }
  for (const RooflineRoof& roof : chart_.roofs) {
    const bool bandwidth = roof.kind == CeilingKind::bandwidth;
    add("<g class=\"roof-group level-{}{}\"{}><line class=\"roof{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" "
        "x2=\"{:.1f}\" y2=\"{:.1f}\"><title>{}</title></line>\n",
        bandwidth ? escape_xml(roof.id) : "compute", roof.measured ? " measured" : "",
        bandwidth ? "" : precision_attribute(roof.id), roof.measured ? " roof-measured" : "",
        px(roof.x0), py(roof.y0), px(roof.x1), py(roof.y1), escape_xml(roof.label));
    if (!roof.measured && roof.kind == CeilingKind::compute) {
      draw_compute_label(roof);
    }
    if (!roof.measured && roof.kind == CeilingKind::bandwidth) {
      draw_bandwidth_label(roof);
    }
    add("</g>\n");
  }
}

// Above the right end of the line, or to the left of it where marks would strike the name through.
// Below the line only where that is not to be had above: there the next roof may take it for its
// own.
void Drawing::draw_compute_label(const RooflineRoof& roof) {
  constexpr double above = -7;
  constexpr double below = 16;
  // In pixels that a name is moved: a pixel that it covers, and to be below.
  constexpr double of_covered = 50;
  constexpr double of_below = 400;
  const double width = text_width(roof.label, label_size);
  const double line = py(roof.value);
  const double last = plot.x + plot.width - 6;
  const auto box = [&](double right, double off) {
    return Box{right - width, line + off - label_size, width, label_size + 4};
  };
  double best = last;
  double best_off = above;
  double best_cost = of_covered * labels_.covered(box(last, above));
  for (const double off : {above, below}) {
    for (double right = last; right - width > px(roof.x0); right -= 10) {
      const double cost =
          of_covered * labels_.covered(box(right, off)) + last - right + (off > 0 ? of_below : 0);
      if (cost < best_cost) {
        best_cost = cost;
        best = right;
        best_off = off;
      }
    }
  }
  add("<text class=\"roof-label\" data-y=\"{:.1f}\" x=\"{:.1f}\" y=\"{:.1f}\" "
      "text-anchor=\"end\">{}</text>\n",
      line, best, line + best_off, escape_xml(roof.label));
  labels_.block_text(box(best, best_off));
}

// Along the line, above or below it, where it covers least of the other roofs.
void Drawing::draw_bandwidth_label(const RooflineRoof& roof) {
  const double width = text_width(roof.label, label_size);
  const double dx = px(roof.x1) - px(roof.x0);
  const double dy = py(roof.y1) - py(roof.y0);
  const double length = std::hypot(dx, dy);
  if (length < width + 20) {
    return;
  }
  const double ux = dx / length;
  const double uy = dy / length;
  struct Candidate {
    double along = 0, baseline = 0;  // pixels from the line's lower end, and below the line
    double cost = INFINITY;
  } best;
  // Perpendicular to the line: (-uy, ux) points below it, since y grows downwards.
  const auto middle_of_text = [&](double along, double baseline, double at) {
    const double off = baseline - label_size * 0.35;
    return std::pair(px(roof.x0) + ux * (along + at) - uy * off,
                     py(roof.y0) + uy * (along + at) + ux * off);
  };
  for (const double baseline : {-7.0, 21.0}) {
    for (double along = 14; along + width < length - 6; along += 30) {
      double covered = along * 0.05;  // near the lower end, all else being equal
      for (double at = 0; at <= width; at += 6) {
        const auto [x, y] = middle_of_text(along, baseline, at);
        covered += labels_.covered({x - 6, y - 6, 12, 12});
      }
      if (covered < best.cost) {
        best = {along, baseline, covered};
      }
    }
  }
  add("<text class=\"roof-label along\" transform=\"translate({:.1f} {:.1f}) rotate({:.2f})\" "
      "x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n",
      px(roof.x0), py(roof.y0), std::atan2(dy, dx) * 180 / 3.14159265358979, best.along,
      best.baseline, escape_xml(roof.label));
  const auto [x0, y0] = middle_of_text(best.along, best.baseline, 0);
  const auto [x1, y1] = middle_of_text(best.along, best.baseline, width);
  labels_.block_text_line(x0, y0, x1, y1, 16);
}

// The ridge that divides the chart, and the zones on its sides; the others are the corners of the
// roofs. A zone is as wide as any zoom needs: the plot cuts it.
void Drawing::draw_ridge() {
  const RidgePoint* ridge = dividing_ridge(chart_);
  if (ridge == nullptr) {
    return;
  }
  constexpr double furthest_zoom_px = 60000;
  const double x = px(ridge->intensity);
  const double bottom = plot.y + plot.height;
  add("<g class=\"roof-group level-hbm\"><rect class=\"zone\" data-x=\"{0:.1f}\" x=\"{1:.1f}\" "
      "y=\"{2:.1f}\" width=\"{3:.0f}\" height=\"{4:.1f}\"/>\n",
      x, x - furthest_zoom_px, plot.y, furthest_zoom_px, plot.height);
  add("<line class=\"ridge\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n", x,
      py(ridge->flop_per_s), bottom);
  const std::string left = "bound by HBM";
  const std::string right = "bound by compute";
  const std::string name = "HBM " + ridge->label;
  add("<text class=\"ridge-label\" text-anchor=\"end\" data-x=\"{:.1f}\" x=\"{:.1f}\" "
      "y=\"{:.1f}\">{}</text>\n",
      x, x - 7, bottom - 9, left);
  // The ridge's name on the side that has room for it.
  const bool to_the_right = x + 7 + text_width(name, 12) < plot.x + plot.width;
  add("<text class=\"ridge-label\" data-x=\"{0:.1f}\" x=\"{1:.1f}\" y=\"{2:.1f}\">{3}</text>\n"
      "<text class=\"ridge-label\" text-anchor=\"{6}\" data-x=\"{0:.1f}\" x=\"{7:.1f}\" "
      "y=\"{4:.1f}\">{5}</text></g>\n",
      x, x + 7, bottom - 9, right, bottom - 25, escape_xml(name), to_the_right ? "start" : "end",
      to_the_right ? x + 7 : x - 7);
  const double before =
      std::max(text_width(left, 12), to_the_right ? 0 : text_width(name, 12)) + 10;
  const double after =
      std::max(text_width(right, 12), to_the_right ? text_width(name, 12) : 0) + 10;
  labels_.block_text(
      {x - before, bottom - (to_the_right ? 24 : 40), before, to_the_right ? 22.0 : 38.0});
  labels_.block_text({x, bottom - (to_the_right ? 40 : 24), after, to_the_right ? 38.0 : 22.0});
}

std::string Drawing::series_of(const RooflinePoint& point) const {
  std::size_t position = 0;
  for (std::size_t i = 0; i < analysis_.variants.size(); ++i) {
    position = analysis_.variants[i].name == analysis_.kernels[point.kernel].variant ? i : position;
  }
  return series_class(point.variant, position);
}

void Drawing::draw_mark(MemoryLevel level, double x, double y, double radius) {
  switch (level) {
    case MemoryLevel::hbm:
      add("<circle class=\"mark\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>", x, y, radius);
      break;
    case MemoryLevel::l2: {
      const double half = radius * 0.9;
      add("<rect class=\"mark\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
          x - half, y - half, 2 * half, 2 * half);
      break;
    }
    case MemoryLevel::smem:
      add("<path class=\"mark\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>", x,
          y - 1.15 * radius, x + radius, y + 0.75 * radius, x - radius, y + 0.75 * radius);
      break;
  }
}

// Marks and the lines between them, known before the first label is placed.
void Drawing::block_points() {
  for (const RooflinePoint& point : chart_.points) {
    const double x = px(point.intensity);
    const double y = py(point.flop_per_s);
    const auto [at, first] = extent_.try_emplace(point.kernel, x, x);
    at->second = {std::min(at->second.first, x), std::max(at->second.second, x)};
    const double radius = radius_of(point) + 2;
    labels_.block({x - radius, y - radius, 2 * radius, 2 * radius});
  }
  for (const RooflinePoint& point : chart_.points) {
    if (point.level == MemoryLevel::hbm) {
      const auto [from, to] = extent_[point.kernel];
      labels_.block({from, py(point.flop_per_s) - 3, to - from, 6});
    }
  }
}

void Drawing::draw_points() {
  // The levels of one kernel share its FLOP rate: a thin line joins them.
  std::set<std::size_t> joined;
  for (const RooflinePoint& point : chart_.points) {
    if (joined.insert(point.kernel).second) {
      const auto [from, to] = extent_[point.kernel];
      add("<line class=\"join {0}\" data-kernel=\"{4}\"{5} x1=\"{1:.1f}\" y1=\"{3:.1f}\" "
          "x2=\"{2:.1f}\" y2=\"{3:.1f}\"/>\n",
          series_of(point), from, to, py(point.flop_per_s), point.kernel, precision_of(point));
    }
  }
  // Small marks last, so that a large one never hides them.
  std::vector<std::size_t> order(chart_.points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return radius_of(chart_.points[a]) > radius_of(chart_.points[b]);
  });
  for (const std::size_t i : order) {
    const RooflinePoint& point = chart_.points[i];
    std::string tip;
    for (const std::string& line : point.tooltip) {
      tip += (tip.empty() ? "" : "&#10;") + escape_xml(line);
    }
    add("<g class=\"point {} level-{}\" tabindex=\"0\" role=\"img\" data-kernel=\"{}\"{} "
        "data-x=\"{:.1f}\" data-y=\"{:.1f}\"><title>{}</title>",
        series_of(point), key(point.level), point.kernel, precision_of(point), px(point.intensity),
        py(point.flop_per_s), tip);
    draw_mark(point.level, px(point.intensity), py(point.flop_per_s), radius_of(point));
    add("</g>\n");
  }
  draw_point_labels();
}

void Drawing::draw_point_labels() {
  // One label a kernel, at its outermost level, the longest-running kernels first.
  std::vector<const RooflinePoint*> labelled;
  std::set<std::size_t> seen;
  for (const RooflinePoint& point : chart_.points) {
    if (seen.insert(point.kernel).second) {
      labelled.push_back(&point);
    }
  }
  std::stable_sort(labelled.begin(), labelled.end(),
                   [](const auto* a, const auto* b) { return a->time_share > b->time_share; });
  labelled.resize(std::min(labelled.size(), labelled_kernels));
  std::vector<std::string> names;
  for (const RooflinePoint* point : labelled) {
    names.push_back(point->label);
  }
  names = elide_apart(names, longest_label);
  for (std::size_t i = 0; i < labelled.size(); ++i) {
    const RooflinePoint* point = labelled[i];
    const std::string& text = names[i];
    const double x = px(point->intensity);
    const double y = py(point->flop_per_s);
    const double radius = radius_of(*point);
    const PlacedLabel placed =
        labels_.place(x, y, radius, text_width(text, label_size) + 6, label_size + 5);
    const Box& box = placed.box;
    add("<g class=\"named\" data-kernel=\"{}\"{} data-x=\"{:.1f}\" data-y=\"{:.1f}\">",
        point->kernel, precision_of(*point), x, y);
    if (placed.far) {
      add("<line class=\"leader\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
          placed.leader.x0, placed.leader.y0, placed.leader.x1, placed.leader.y1);
    }
    add("<text class=\"point-label {}\" x=\"{:.1f}\" y=\"{:.1f}\" "
        "text-anchor=\"middle\">{}</text></g>\n",
        series_of(*point), box.x + box.width / 2, box.y + box.height - 5, escape_xml(text));
  }
}

void Drawing::draw_legend() {
  double x = plot.x;
  double y = 26;
  constexpr double line = 21;
  // An entry that would leave the picture begins a second line.
  const auto begin = [&](double symbol, const std::string& what) {
    if (x > plot.x && x + symbol + text_width(what, label_size) > canvas_width) {
      x = plot.x;
      y += line;
    }
  };
  const auto text = [&](const std::string& what) {
    add("<text class=\"legend\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, y + 4.5,
        escape_xml(what));
    x += text_width(what, label_size) + 18;
  };
  std::vector<const RooflinePoint*> variants;
  std::vector<std::string> names;
  std::set<std::string> drawn;
  for (const RooflinePoint& point : chart_.points) {
    if (!point.variant.empty() && drawn.insert(point.variant).second) {
      variants.push_back(&point);
      names.push_back(point.variant);
    }
  }
  names = elide_apart(names, longest_label);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    begin(20, names[i]);
    add("<rect class=\"swatch {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"14\" "
        "rx=\"3\"/>\n",
        series_of(*variants[i]), x, y - 7);
    x += 20;
    text(names[i]);
  }
  for (const MemoryLevel level : memory_levels) {
    const bool used = std::any_of(chart_.points.begin(), chart_.points.end(),
                                  [&](const RooflinePoint& p) { return p.level == level; });
    if (used) {
      begin(20, label(level));
      add("<g class=\"legend-mark\">");
      draw_mark(level, x + 7, y, 6.5);
      add("</g>\n");
      x += 20;
      text(label(level));
    }
  }
  const bool any_measured = std::any_of(chart_.roofs.begin(), chart_.roofs.end(),
                                        [](const RooflineRoof& roof) { return roof.measured; });
  for (const bool measured : {false, true}) {
    if (chart_.roofs.empty() || (measured && !any_measured)) {
      continue;
    }
    const std::string name = measured ? "measured ceiling" : "theoretical ceiling";
    begin(33, name);
    add("<line class=\"roof{}\" x1=\"{:.1f}\" y1=\"{}\" x2=\"{:.1f}\" y2=\"{}\"/>\n",
        measured ? " roof-measured" : "", x, y, x + 26, y);
    x += 33;
    text(name);
  }
  if (analysis_.source == Source::predicted) {
    const std::string what = "predicted: nothing was measured";
    begin(0, what);
    text(what);
  }
}

}  // namespace

std::string roofline_svg(const Analysis& analysis) {
  return Drawing(analysis, roofline(analysis)).draw();
}

}  // namespace ridgepoint
