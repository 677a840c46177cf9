#pragma once

#include <string>

#include "analyzer/analysis/analysis.h"
#include "analyzer/timeline/timeline.h"

namespace ridgepoint {

// An <svg> element of class "timeline": the lanes of a window over a time axis, below them the
// colours. Colours come from timeline.css. Its size does not grow with the launches. The analysis
// must have a timeline.
std::string timeline_svg(const Analysis& analysis, TimeWindow window);

}  // namespace ridgepoint
