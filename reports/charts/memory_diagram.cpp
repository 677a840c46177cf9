#include "reports/charts/memory_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "analyzer/core/text.h"
#include "reports/charts/palette.h"
#include "reports/escape.h"
#include "reports/presenters/format.h"
#include "reports/presenters/reductions.h"

namespace ridgepoint {
namespace {

struct DiagramRow {
  std::string name;
  std::string series;  // class of its colour
  PerLevel<Traffic> traffic;
};

constexpr double canvas_width = 1040;
constexpr double row_height = 148;
constexpr double box_width = 116;
constexpr double box_height = 74;
constexpr double gap = (canvas_width - 4 * box_width) / 3;
constexpr double widest_arrow = 22;
constexpr std::size_t most_rows = 6;

struct Box4 {
  const char* title;
  const char* detail;
};
constexpr std::array<Box4, 4> boxes = {{{"SMs", "registers"},
                                        {"L1 / shared", "in each SM"},
                                        {"L2", "one for all"},
                                        {"HBM", "device"}}};
// The level whose bytes cross the gap behind box i.
constexpr std::array<MemoryLevel, 3> links = {MemoryLevel::smem, MemoryLevel::l2, MemoryLevel::hbm};
constexpr std::array<const char*, 3> link_names = {"shared memory", "L2", "HBM"};

Traffic sum(const Analysis& analysis, MemoryLevel level) {
  Traffic all{0.0, 0.0, 0.0, std::nullopt};
  const auto add = [](std::optional<double>& to, const std::optional<double>& value) {
    to = to && value ? std::optional<double>(*to + *value) : std::nullopt;
  };
  for (const KernelAnalysis& kernel : analysis.kernels) {
    add(all.total, kernel.traffic[level].total);
    add(all.read, kernel.traffic[level].read);
    add(all.write, kernel.traffic[level].write);
  }
  return analysis.kernels.empty() ? Traffic() : all;
}

std::vector<DiagramRow> rows_of(const Analysis& analysis) {
  std::vector<DiagramRow> rows;
  for (std::size_t v = 0; v < analysis.variants.size() && v < most_rows; ++v) {
    const VariantAnalysis& variant = analysis.variants[v];
    DiagramRow row{
        printable(variant.name) + (analysis.source == Source::predicted ? ", predicted" : ""),
        series_class(variant.name, v),
        {}};
    for (const MemoryLevel level : memory_levels) {
      row.traffic[level] = variant.traffic[level].measured;
      if (!row.traffic[level].total && analysis.source == Source::predicted) {
        row.traffic[level].total = variant.traffic[level].predicted;
      }
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    DiagramRow row{"all kernels", "other", {}};
    for (const MemoryLevel level : memory_levels) {
      row.traffic[level] = sum(analysis, level);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

class Diagram {
 public:
  explicit Diagram(std::vector<DiagramRow> rows) : rows_(std::move(rows)) {
    for (std::size_t link = 0; link < links.size(); ++link) {
      for (const DiagramRow& row : rows_) {
        const Traffic& traffic = row.traffic[links[link]];
        most_[link] = std::max({most_[link], traffic.total.value_or(0), traffic.read.value_or(0),
                                traffic.write.value_or(0)});
      }
    }
  }

  bool empty() const { return *std::max_element(most_.begin(), most_.end()) <= 0; }

  std::string draw() {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"diagram\" viewBox=\"0 0 {} {}\" "
        "role=\"img\" aria-label=\"{}\">\n",
        canvas_width, row_height * static_cast<double>(rows_.size()), escape_xml(summary()));
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      draw_row(rows_[r], row_height * static_cast<double>(r));
    }
    return svg_ + "</svg>\n";
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
  }

  // What a reader who cannot see the picture needs of it.
  std::string summary() const {
    std::string text = "Memory diagram.";
    for (const DiagramRow& row : rows_) {
      text += " " + row.name + ":";
      for (std::size_t link = 0; link < links.size(); ++link) {
        text += std::string(link == 0 ? " " : ", ") + link_names[link] + " " +
                format_quantity(row.traffic[links[link]].total, Unit::byte);
      }
      if (const auto reductions = reduction_bytes(row.traffic[MemoryLevel::l2])) {
        text += ", of L2 " + format_quantity(*reductions, Unit::byte) + " reductions and atomics";
      }
      text += ".";
    }
    return text;
  }

  void draw_row(const DiagramRow& row, double top) {
    add("<g class=\"{}\"><text class=\"row-name\" x=\"0\" y=\"{:.0f}\">{}</text>\n", row.series,
        top + 18, escape_xml(row.name));
    const double y = top + 40;  // clear of a long name, which reaches over the first link
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const double x = static_cast<double>(i) * (box_width + gap);
      add("<rect class=\"box\" x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2}\" height=\"{3}\" rx=\"9\"/>"
          "<text class=\"box-title\" x=\"{4:.1f}\" y=\"{5:.1f}\">{6}</text>"
          "<text class=\"box-detail\" x=\"{4:.1f}\" y=\"{7:.1f}\">{8}</text>\n",
          x, y, box_width, box_height, x + box_width / 2, y + 34, boxes[i].title, y + 54,
          boxes[i].detail);
      if (i < links.size()) {
        draw_link(row.traffic[links[i]], i, x + box_width, y + box_height / 2);
      }
    }
    add("</g>\n");
  }

  void draw_link(const Traffic& traffic, std::size_t link, double left, double middle) {
    const double centre = left + gap / 2;
    const std::string total = format_quantity(traffic.total, Unit::byte);
    if (traffic.read && traffic.write) {
      const std::optional<double> reductions =
          links[link] == MemoryLevel::l2 ? reduction_bytes(traffic) : std::nullopt;
      const double apart = reductions ? 19 : 12;
      // Reads flow towards the SMs; what is added in L2 flows there.
      arrow(left, middle - apart, *traffic.read, link, true);
      arrow(left, middle + apart, *traffic.write, link, false);
      if (reductions) {
        arrow(left, middle, *reductions, link, false, " added");
        add("<text class=\"detail\" x=\"{:.1f}\" y=\"{:.1f}\">reductions, atomics {} "
            "(pale)</text>\n",
            centre, middle + 68, escape_xml(format_quantity(*reductions, Unit::byte)));
      }
      add("<text class=\"detail\" x=\"{:.1f}\" y=\"{:.1f}\">read {}, written {}</text>\n", centre,
          middle + 53, escape_xml(format_quantity(*traffic.read, Unit::byte)),
          escape_xml(format_quantity(*traffic.write, Unit::byte)));
    } else if (traffic.total) {
      both_ways(left, middle, *traffic.total, link);
    } else {
      add("<line class=\"unknown\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
          left + 8, middle, left + gap - 8, middle);
    }
    add("<text class=\"bytes\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", centre, middle - 34,
        escape_xml(traffic.total ? total : "not measured"));
  }

  double width_of(double bytes, std::size_t link) const {
    return most_[link] > 0 ? std::max(1.5, widest_arrow * std::max(0.0, bytes) / most_[link]) : 1.5;
  }

  static constexpr double head = 11;

  void arrow(double left, double y, double bytes, std::size_t link, bool to_left,
             const char* kind = "") {
    const double from = left + 8 + (to_left ? head : 0);
    const double to = left + gap - 8 - (to_left ? 0 : head);
    const double tip = to_left ? left + 8 : left + gap - 8;
    const double base = to_left ? from : to;
    const double width = width_of(bytes, link);
    const double half = width / 2 + 4;
    add("<path class=\"flow{0}\" d=\"M{1:.1f} {2:.1f}L{3:.1f} {4:.1f}L{3:.1f} {5:.1f}L{6:.1f} "
        "{5:.1f}L{6:.1f} {7:.1f}L{3:.1f} {7:.1f}L{3:.1f} {8:.1f}Z\"/>\n",
        kind, tip, y, base, y - half, y - width / 2, to_left ? to : from, y + width / 2, y + half);
  }

  void both_ways(double left, double y, double bytes, std::size_t link) {
    const double width = width_of(bytes, link);
    const double half = width / 2 + 4;
    const double a = left + 8;
    const double b = left + gap - 8;
    add("<rect class=\"flow\" x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{3:.1f}\"/>"
        "<path class=\"flow\" d=\"M{4:.1f} {5:.1f}L{0:.1f} {6:.1f}L{0:.1f} {7:.1f}Z"
        "M{8:.1f} {5:.1f}L{9:.1f} {6:.1f}L{9:.1f} {7:.1f}Z\"/>\n",
        a + head, y - width / 2, b - a - 2 * head, width, a, y, y - half, y + half, b, b - head);
  }

  std::vector<DiagramRow> rows_;
  std::array<double, 3> most_{};
  std::string svg_;
};

}  // namespace

std::string memory_diagram_svg(const Analysis& analysis) {
  Diagram diagram(rows_of(analysis));
  return diagram.empty() ? "" : diagram.draw();
}

}  // namespace ridgepoint
