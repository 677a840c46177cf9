// The roofline as SVG: one <svg> element with classes, styled by reports/html/roofline.css.
#pragma once

#include <string>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// For a page or document that carries the style sheet and the palette.
std::string roofline_svg(const Analysis& analysis);

}  // namespace ridgepoint
