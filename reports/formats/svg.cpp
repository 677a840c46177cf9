#include "reports/charts/roofline_svg.h"
#include "reports/formats/formats.h"

namespace ridgepoint {

std::string render_svg(const Analysis& analysis, const ReportOptions& /*options*/) {
  return roofline_svg_document(analysis);
}

}  // namespace ridgepoint
