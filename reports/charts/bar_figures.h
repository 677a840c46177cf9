// The bars that reports show, as SVG elements; empty where there is nothing to draw.
#pragma once

#include <string>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

std::string traffic_bars_svg(const Analysis& analysis);  // measured beside predicted, each level
std::string split_bars_svg(const Analysis& analysis);    // inputs and outputs, intermediates, ...
std::string stall_bars_svg(const Analysis& analysis);    // warp states of each kernel

}  // namespace ridgepoint
