#include "reports/text/trace_lines.h"

#include <algorithm>

#include "reports/presenters/format.h"
#include "reports/text/sparkline.h"
#include "reports/text/text_layout.h"

namespace ridgepoint {
namespace {

constexpr std::size_t widest_line = 64;
constexpr std::size_t narrowest_line = 8;

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return text + std::string(used < width ? width - used : 0, ' ');
}

std::string figures(const TracePanel& panel) {
  return format_quantity(panel.mean, panel.unit) + " mean, " +
         format_quantity(panel.lowest, panel.unit) + " to " +
         format_quantity(panel.highest, panel.unit);
}

}  // namespace

std::string trace_lines(const TraceChart& chart, std::size_t width) {
  std::size_t names = 0;
  std::size_t values = 0;
  for (const TracePanel& panel : chart.panels) {
    names = std::max(names, display_width(panel.title));
    values = std::max(values, display_width(figures(panel)));
  }
  const std::size_t beside = 2 + names + 2 + 2 + values;
  // No more characters than samples: every sample would be smeared over blanks.
  const std::size_t line =
      std::min({widest_line, std::max(narrowest_line, width > beside ? width - beside : 0),
                std::max<std::size_t>(1, chart.time_s.size())});
  std::string out;
  for (const TracePanel& panel : chart.panels) {
    const std::string spark = sparkline(binned(chart, panel, line), panel.bottom, panel.top);
    const std::string row = "  " + padded(panel.title, names) + "  " + padded(spark, line) + "  ";
    out += beside + narrowest_line <= width
               ? row + figures(panel) + "\n"
               : row + "\n" + wrap(figures(panel), width, "    ", "    ");
  }
  return out + wrap(chart.note + " From left to right: " +
                        format_quantity(chart.duration_s, Unit::second) + ".",
                    width, "  ", "  ");
}

}  // namespace ridgepoint
