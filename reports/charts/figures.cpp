#include "reports/charts/figures.h"

#include "reports/charts/bar_figures.h"
#include "reports/charts/figure_document.h"
#include "reports/charts/memory_diagram.h"
#include "reports/charts/roofline_svg.h"
#include "reports/charts/timeline_svg.h"
#include "reports/charts/trace_svg.h"
#include "reports/html/assets.h"
#include "reports/presenters/activity.h"
#include "reports/presenters/captions.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/roofline.h"
#include "reports/presenters/timeline.h"

namespace ridgepoint {
namespace {

// Empty where there is no chart.
std::string one_chart(const Analysis& analysis, const FigureText& text, std::string_view class_name,
                      std::string_view css, std::string svg) {
  return svg.empty()
             ? ""
             : figure_document(analysis, text, class_name, css, {{std::move(svg), "", {}, ""}});
}

std::string roofline_figure(const Analysis& analysis) {
  const Roofline chart = roofline(analysis);
  if (chart.points.empty()) {
    return "";
  }
  FigureText text{"Roofline", {roofline_caption()}};
  if (!chart.note.empty()) {
    text.captions.push_back(chart.note);
  }
  return figure_document(analysis, text, "roofline", assets::roofline_css,
                         {{roofline_svg(analysis), "", {}, roofline_summary(chart)}}, true);
}

std::string memory_figure(const Analysis& analysis) {
  return one_chart(analysis, {"Where the bytes go", {diagram_caption(analysis)}}, "diagram",
                   assets::diagram_css, memory_diagram_svg(analysis));
}

std::string traffic_figure(const Analysis& analysis) {
  FigureText text{"Traffic by memory level", {traffic_caption(analysis)}};
  if (!nothing_ran(analysis)) {
    text.captions.back() += " An outline alone is a prediction.";
  }
  return one_chart(analysis, text, "bars", "", traffic_bars_svg(analysis));
}

std::string split_figure(const Analysis& analysis) {
  return one_chart(analysis, {"What moves", {split_caption(analysis)}}, "bars", "",
                   split_bars_svg(analysis));
}

std::string stall_figure(const Analysis& analysis) {
  return one_chart(analysis, {"What the warps wait for", {stall_caption()}}, "bars", "",
                   stall_bars_svg(analysis));
}

std::string time_figure(const Analysis& analysis) {
  std::vector<FigurePart> charts;
  for (const TraceChart& chart : trace_charts(analysis)) {
    charts.push_back({trace_svg(chart), chart.title, {chart.note}, ""});
  }
  return charts.empty()
             ? ""
             : figure_document(analysis, {"Over time", {}}, "trace", assets::trace_css, charts);
}

std::string timeline_figure(const Analysis& analysis) {
  if (!analysis.timeline) {
    return "";
  }
  std::vector<FigurePart> parts = {
      {timeline_svg(analysis, analysis.timeline->whole()), "", {}, activity_summary(analysis)}};
  if (const auto& busiest = analysis.timeline->busiest) {
    parts.push_back({timeline_svg(analysis, *busiest), busiest_title(), {}, busiest_title() + "."});
  }
  return figure_document(analysis, {"Activity", {timeline_caption(analysis)}}, "timeline",
                         assets::timeline_css, parts);
}

}  // namespace

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all = {
      {"roofline", "kernels under their roofs", &roofline_figure},
      {"traffic", "bytes at each level, measured beside predicted", &traffic_figure},
      {"split", "inputs and outputs, intermediates, re-reads", &split_figure},
      {"memory", "bytes on each link from the SMs to HBM", &memory_figure},
      {"stalls", "what the warps of each kernel wait for", &stall_figure},
      {"time", "power, clocks and counters over time", &time_figure},
      {"timeline", "kernels, copies and NVTX ranges over the run", &timeline_figure},
  };
  return all;
}

}  // namespace ridgepoint
