// The roofline as SVG: one <svg> element with classes, styled by reports/html/roofline.css.
#pragma once

#include <string>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// For embedding in a page that carries the style sheet and the palette.
std::string roofline_svg(const Analysis& analysis);
// A file of its own: style sheet inside, light colours, white background.
std::string roofline_svg_document(const Analysis& analysis);

}  // namespace ridgepoint
