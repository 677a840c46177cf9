// A chart over time: small panels on one time axis, with the phases shaded behind them.
#pragma once

#include <string>

#include "reports/presenters/trace_charts.h"

namespace ridgepoint {

// An SVG element for the page, with its classes from html/trace.css.
std::string trace_svg(const TraceChart& chart);

}  // namespace ridgepoint
