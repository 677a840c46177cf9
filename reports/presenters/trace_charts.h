// Series over time as small charts one above the other: the same for the terminal and the page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "reports/presenters/table.h"

namespace ridgepoint {

struct TracePanel {
  std::string title;    // "SM clock"
  std::string tooltip;  // what it counts
  Unit unit = Unit::none;
  std::vector<double> values;  // one a sample; NaN where nothing was measured
  double bottom = 0;           // of the axis
  double top = 1;
  std::optional<double> mean, lowest, highest;
};

// A stretch of the time axis with a name.
struct TraceMark {
  std::string label;
  double start_s = 0;
  double end_s = 0;
};

struct TraceChart {
  std::string title;
  std::string note;            // what the samples are
  std::vector<double> time_s;  // one a sample, ascending
  double duration_s = 0;
  std::vector<TraceMark> marks;
  std::vector<TracePanel> panels;
};

// Power and clocks of each device over the run, then the activity within a run of each variant.
std::vector<TraceChart> trace_charts(const Analysis& analysis);

// The mean of a panel's samples in each of `bins` equal parts of the chart's time; NaN in a part
// without a sample.
std::vector<double> binned(const TraceChart& chart, const TracePanel& panel, std::size_t bins);

}  // namespace ridgepoint
