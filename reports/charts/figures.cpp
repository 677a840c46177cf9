#include "reports/charts/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "reports/charts/bar_figures.h"
#include "reports/charts/memory_diagram.h"
#include "reports/charts/palette.h"
#include "reports/charts/roofline_svg.h"
#include "reports/charts/trace_svg.h"
#include "reports/escape.h"
#include "reports/html/assets.h"
#include "reports/presenters/provenance.h"

namespace ridgepoint {
namespace {

// Part of a document: an SVG element whose view box begins at 0 0, with a heading or none.
struct Element {
  std::string svg;
  std::string heading;
};

struct Opened {
  double width = 0, height = 0;
  std::string inside;
};

// Our own elements, so that the form is known.
Opened opened(const std::string& svg) {
  Opened element;
  const std::size_t box = svg.find("viewBox=\"0 0 ");
  char* rest = nullptr;
  element.width = std::strtod(svg.c_str() + box + 13, &rest);
  element.height = std::strtod(rest, nullptr);
  const std::size_t body = svg.find('>') + 1;
  element.inside = svg.substr(body, svg.rfind("</svg>") - body);
  return element;
}

std::string document(const Analysis& analysis, const char* title, const char* class_name,
                     std::string_view css, const std::vector<Element>& elements) {
  constexpr double margin = 20;
  constexpr double heading_height = 30;
  double width = 0;
  double y = margin;
  std::string body;
  for (const Element& element : elements) {
    if (!element.heading.empty()) {
      body += fmt::format(
          "<text x=\"{:.0f}\" y=\"{:.0f}\" font-size=\"16\" font-weight=\"650\" "
          "fill=\"var(--ink)\">{}</text>\n",
          margin, y + 18, escape_xml(element.heading));
      y += heading_height;
    }
    const Opened one = opened(element.svg);
    body += fmt::format("<g class=\"{}\" transform=\"translate({:.0f} {:.0f})\">\n{}</g>\n",
                        class_name, margin, y, one.inside);
    width = std::max(width, one.width);
    y += one.height + margin;
  }
  return with_light_colours(
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
                  "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" font-family=\"system-ui, "
                  "-apple-system, sans-serif\">\n<title>{2}: {3}</title>\n<style>{4}</style>\n"
                  "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{5}</svg>\n",
                  width + 2 * margin, y, title, escape_xml(provenance_line(analysis)), css, body));
}

std::string one_element(const Analysis& analysis, const char* title, const char* class_name,
                        std::string_view css, std::string svg) {
  return svg.empty()
             ? ""
             : document(analysis, title, class_name, css, {{std::move(svg), std::string()}});
}

std::string memory_figure(const Analysis& analysis) {
  return one_element(analysis, "Where the bytes go", "diagram", assets::diagram_css,
                     memory_diagram_svg(analysis));
}

std::string traffic_figure(const Analysis& analysis) {
  return one_element(analysis, "Traffic by memory level", "bars", "", traffic_bars_svg(analysis));
}

std::string split_figure(const Analysis& analysis) {
  return one_element(analysis, "What moves", "bars", "", split_bars_svg(analysis));
}

std::string stall_figure(const Analysis& analysis) {
  return one_element(analysis, "What the warps wait for", "bars", "", stall_bars_svg(analysis));
}

std::string time_figure(const Analysis& analysis) {
  std::vector<Element> charts;
  for (const TraceChart& chart : trace_charts(analysis)) {
    charts.push_back({trace_svg(chart), chart.title});
  }
  return charts.empty() ? "" : document(analysis, "Over time", "trace", assets::trace_css, charts);
}

}  // namespace

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all = {
      {"roofline", "kernels under their roofs", &roofline_svg_document},
      {"traffic", "bytes at each level, measured beside predicted", &traffic_figure},
      {"split", "inputs and outputs, intermediates, re-reads", &split_figure},
      {"memory", "bytes on each link from the SMs to HBM", &memory_figure},
      {"stalls", "what the warps of each kernel wait for", &stall_figure},
      {"time", "power, clocks and counters over time", &time_figure},
  };
  return all;
}

}  // namespace ridgepoint
