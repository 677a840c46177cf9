#include <algorithm>

#include "reports/charts/figures.h"
#include "reports/formats/formats.h"

namespace ridgepoint {

Status stream_svg(const ReportInput& input, const ReportOptions& options, const TextSink& sink) {
  const std::vector<Figure>& all = figures();
  const auto figure = std::find_if(all.begin(), all.end(),
                                   [&](const Figure& one) { return one.name == options.figure; });
  if (figure == all.end()) {
    return fail(ErrorDomain::usage, "drawing " + options.figure, "there is no such figure");
  }
  const std::string svg = figure->draw(input.analysis);
  return svg.empty() ? fail(ErrorDomain::verdict, "drawing the figure " + options.figure,
                            "nothing of it was measured: " + std::string(figure->description))
                     : sink(svg);
}

}  // namespace ridgepoint
