#include "reports/charts/trace_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/escape.h"
#include "reports/presenters/format.h"
#include "reports/text/text_layout.h"

namespace ridgepoint {
namespace {

constexpr double width = 1040;
constexpr double left = 150;
constexpr double right = 200;
constexpr double plot_width = width - left - right;
constexpr double panel_height = 54;
constexpr double panel_gap = 14;
constexpr double marks_height = 20;
constexpr double axis_height = 24;
constexpr std::size_t most_points = 400;  // more than the plot has pixels for
constexpr double least_label_width = 46;

double x_of(const TraceChart& chart, double time_s) {
  return left + plot_width * std::clamp(time_s / chart.duration_s, 0.0, 1.0);
}

void add_marks(const TraceChart& chart, double height, std::string& svg) {
  bool odd = false;
  for (const TraceMark& mark : chart.marks) {
    const double from = x_of(chart, mark.start_s);
    const double to = x_of(chart, mark.end_s);
    svg += fmt::format(
        R"(<g class="mark{}"><title>{}</title><rect x="{:.1f}" y="0" width="{:.1f}" height="{:.1f}"/>)",
        odd ? " odd" : "", escape_xml(mark.label), from, std::max(1.0, to - from), height);
    if (to - from >= least_label_width) {
      const auto room = static_cast<std::size_t>((to - from) / 7);
      svg += fmt::format(R"(<text x="{:.1f}" y="14">{}</text>)", (from + to) / 2,
                         escape_xml(elide(mark.label, room)));
    }
    svg += "</g>";
    odd = !odd;
  }
}

// A gap in the samples is a gap in the line.
std::string path_of(const TraceChart& chart, const TracePanel& panel, double top_y) {
  const std::size_t points = std::min(most_points, std::max<std::size_t>(1, panel.values.size()));
  const std::vector<double> values = binned(chart, panel, points);
  std::string path;
  bool pen_down = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      continue;  // unevenly spaced samples leave bins without any
    }
    const double share =
        std::clamp((values[i] - panel.bottom) / (panel.top - panel.bottom), 0.0, 1.0);
    const double x =
        left + plot_width * (static_cast<double>(i) + 0.5) / static_cast<double>(points);
    path +=
        fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", x, top_y + panel_height * (1 - share));
    pen_down = true;
  }
  return path;
}

void add_panel(const TraceChart& chart, const TracePanel& panel, double top_y, std::string& svg) {
  const double base = top_y + panel_height;
  svg += fmt::format(R"(<g><title>{}: {}</title>)", escape_xml(panel.title),
                     escape_xml(panel.tooltip));
  svg += fmt::format(R"(<rect class="hit" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)",
                     left, top_y, plot_width, panel_height);
  svg += fmt::format(R"(<line class="base" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)",
                     left, base, left + plot_width, base);
  svg += fmt::format(R"(<text class="panel" x="{:.1f}" y="{:.1f}">{}</text>)", left - 10,
                     top_y + panel_height / 2 + 5, escape_xml(panel.title));
  svg += fmt::format(R"(<path class="line" d="{}"/>)", path_of(chart, panel, top_y));
  svg += fmt::format(R"(<text class="value" x="{:.1f}" y="{:.1f}">{} mean</text>)"
                     R"(<text class="detail" x="{:.1f}" y="{:.1f}">{} to {}</text>)",
                     left + plot_width + 12, top_y + panel_height / 2 - 2,
                     escape_xml(format_quantity(panel.mean, panel.unit)), left + plot_width + 12,
                     top_y + panel_height / 2 + 16,
                     escape_xml(format_quantity(panel.lowest, panel.unit)),
                     escape_xml(format_quantity(panel.highest, panel.unit)));
  svg += "</g>";
}

std::string summary(const TraceChart& chart) {
  std::string text = chart.title + ":";
  for (const TracePanel& panel : chart.panels) {
    text += (&panel == chart.panels.data() ? " " : "; ") + panel.title + " " +
            format_quantity(panel.mean, panel.unit) + " mean, " +
            format_quantity(panel.lowest, panel.unit) + " to " +
            format_quantity(panel.highest, panel.unit);
  }
  return text + ".";
}

}  // namespace

std::string trace_svg(const TraceChart& chart) {
  const double first = chart.marks.empty() ? 6 : marks_height + 6;
  const double plots =
      first + static_cast<double>(chart.panels.size()) * (panel_height + panel_gap);
  const double height = plots + axis_height;
  std::string svg =
      fmt::format(R"(<svg class="trace" viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="{}">)",
                  width, height, escape_xml(summary(chart)));
  add_marks(chart, plots - panel_gap, svg);
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    add_panel(chart, chart.panels[i], first + static_cast<double>(i) * (panel_height + panel_gap),
              svg);
  }
  const double axis = plots + 8;
  svg += fmt::format(R"(<text class="tick" x="{:.1f}" y="{:.1f}">0</text>)", left, axis);
  svg += fmt::format(R"(<text class="tick" x="{:.1f}" y="{:.1f}">{}</text>)", left + plot_width / 2,
                     axis, escape_xml(format_quantity(chart.duration_s / 2, Unit::second)));
  svg += fmt::format(R"(<text class="tick" x="{:.1f}" y="{:.1f}">{}</text>)", left + plot_width,
                     axis, escape_xml(format_quantity(chart.duration_s, Unit::second)));
  return svg + "</svg>";
}

}  // namespace ridgepoint
