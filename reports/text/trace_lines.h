// A chart over time as sparklines: one line a panel.
#pragma once

#include <string>

#include "reports/presenters/trace_charts.h"

namespace ridgepoint {

std::string trace_lines(const TraceChart& chart, std::size_t width);

}  // namespace ridgepoint
