// A timeline in words and colours: what the chart of the reports and the view of the window share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/timeline/picture.h"
#include "analyzer/timeline/timeline.h"

namespace ridgepoint {

// "stream 7", "copy host to device", "NVTX, thread 580"; with its GPU where there are several.
// Empty for the further rows of one.
std::string lane_label(const Analysis& analysis, const TimelineLane& lane);

// The kernel's short name, the kind of copy, the range's name.
std::string span_name(const Analysis& analysis, LaneKind kind, std::uint32_t item);
// Of a lane's spans, or of its ticks where `tick`: its name first, then start, duration, stream,
// range, bytes: a line each.
std::vector<std::string> span_lines(const Analysis& analysis, const TimelineLane& lane,
                                    const TimelineSpan& span, bool tick);
// What stands for several spans: how many, which leads, how busy.
std::vector<std::string> mark_lines(const Analysis& analysis, const TimelineLane& lane,
                                    const PictureMark& mark, bool tick);

// Names of the palette. The kernels with most time have colours of their own.
std::string_view span_colour(const Analysis& analysis, LaneKind kind, std::uint32_t item);
struct TimelineLegend {
  std::string_view colour;
  std::string label;
  std::optional<std::size_t> kernel;  // none for those that share a colour
};
std::vector<TimelineLegend> timeline_legend(const Analysis& analysis);

// After the beginning of the timeline, to the microsecond, of short ones to the nanosecond:
// "8,193.812 ms".
std::string time_text(const Timeline& timeline, std::int64_t time_ns);
struct TimeTick {
  std::int64_t time_ns = 0;
  std::string label;  // "20 ms"
};
// At round times, at most `most` of them.
std::vector<TimeTick> time_ticks(TimeWindow window, std::size_t most);

// Of the closer look at Timeline::busiest.
std::string busiest_title();
// How to read the picture, and what is not in it.
std::string timeline_caption(const Analysis& analysis);

}  // namespace ridgepoint
