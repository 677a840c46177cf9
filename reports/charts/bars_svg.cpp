#include "reports/charts/bars_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "reports/escape.h"
#include "reports/text/text_layout.h"

namespace ridgepoint {
namespace {

constexpr double canvas_width = 1040;
constexpr double names_width = 240;
constexpr double values_width = 110;
constexpr double bars_width = canvas_width - names_width - values_width;
constexpr double bar_height = 22;
constexpr double row_height = 30;
constexpr double title_height = 32;
constexpr double key_height = 34;
constexpr double letter_width = 7;  // of 12 and 13 pixel letters, on the safe side
constexpr std::size_t longest_name = 32;

class Bars {
 public:
  std::string draw(const std::vector<BarGroup>& groups,
                   const std::vector<std::pair<std::string, std::string>>& key) {
    for (const BarGroup& group : groups) {
      if (!group.title.empty()) {
        add("<text x=\"0\" y=\"{:.0f}\" font-size=\"15\" font-weight=\"650\" "
            "fill=\"var(--ink)\">{}</text>\n",
            y_ + 20, escape_xml(group.title));
        y_ += title_height;
      }
      std::vector<std::string> names;
      for (const BarRow& row : group.rows) {
        names.push_back(row.name);
      }
      names = elide_apart(names, longest_name);
      for (std::size_t i = 0; i < names.size(); ++i) {
        draw_row(group.rows[i], names[i]);
        y_ += row_height;
      }
    }
    draw_key(key);
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
               "aria-label=\"{}\">\n",
               canvas_width, y_, escape_xml(summary(groups))) +
           body_ + "</svg>\n";
  }

 private:
  // What a reader who cannot see the picture needs of it.
  static std::string summary(const std::vector<BarGroup>& groups) {
    std::string text;
    for (const BarGroup& group : groups) {
      std::string bars;
      for (const BarRow& row : group.rows) {
        bars += (bars.empty() ? "" : "; ") + row.name + " " + row.value;
      }
      text +=
          (text.empty() ? "" : " ") + (group.title.empty() ? "" : group.title + ": ") + bars + ".";
    }
    return text;
  }

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<Args>(args)...);
  }

  void draw_row(const BarRow& row, const std::string& name) {
    const double base = y_ + bar_height / 2 + 5;
    add("<text x=\"{:.0f}\" y=\"{:.1f}\" font-size=\"13\" text-anchor=\"end\" "
        "fill=\"var(--ink)\">{}<title>{}</title></text>\n",
        names_width - 12, base, escape_xml(name), escape_xml(row.name));
    double x = names_width;
    for (const BarPart& part : row.parts) {
      const double width = bars_width * std::clamp(part.share, 0.0, 1.0);
      draw_part(part, x, width, base);
      x += width;
    }
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"13\" text-anchor=\"end\" "
        "fill=\"var(--ink)\">{}</text>\n",
        canvas_width, base, escape_xml(row.value));
  }

  void draw_part(const BarPart& part, double x, double width, double base) {
    const std::string colour = "var(--" + part.colour + ")";
    add("<g><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" "
        "fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>",
        escape_xml(part.tooltip), x, y_, std::max(width, 0.5), bar_height,
        part.hollow ? "none" : colour, part.hollow ? colour : "var(--card)", part.hollow ? 1.5 : 1);
    if (letter_width * static_cast<double>(display_width(part.label)) + 8 < width) {
      add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" text-anchor=\"middle\" "
          "fill=\"var(--on-stall)\">{}</text>",
          x + width / 2, base, escape_xml(part.label));
    }
    add("</g>\n");
  }

  void draw_key(const std::vector<std::pair<std::string, std::string>>& key) {
    double x = 0;
    for (const auto& [colour, meaning] : key) {
      add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"12\" rx=\"3\" "
          "fill=\"var(--{})\"/><text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"13\" "
          "fill=\"var(--muted)\">{}</text>\n",
          x, y_ + 12, colour, x + 20, y_ + 23, escape_xml(meaning));
      x += 44 + letter_width * static_cast<double>(display_width(meaning));
    }
    y_ += key.empty() ? 0 : key_height;
  }

  double y_ = 0;
  std::string body_;
};

}  // namespace

std::string bars_svg(const std::vector<BarGroup>& groups,
                     const std::vector<std::pair<std::string, std::string>>& key) {
  return Bars().draw(groups, key);
}

}  // namespace ridgepoint
