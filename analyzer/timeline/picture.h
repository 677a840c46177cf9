// What a picture of a certain width can show of a lane: however many spans there are, there are at
// most about three marks a column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/timeline/timeline.h"

namespace ridgepoint {

// One span that is as wide as a column, or neighbours that are narrower, within one column.
struct PictureMark {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::size_t first = 0;   // index into the lane's spans or ticks
  std::uint32_t item = 0;  // what takes most of it
  std::int64_t count = 0;  // spans, or ticks
  double busy = 1;         // the share of it that is covered by spans
};

// In order of time; those that overlap the window, whole. `columns` of the window, at least one.
std::vector<PictureMark> lane_picture(const std::vector<TimelineSpan>& spans, TimeWindow window,
                                      std::size_t columns);
// At most one mark a column.
std::vector<PictureMark> tick_picture(const std::vector<TimelineSpan>& ticks, TimeWindow window,
                                      std::size_t columns);

// The span at a moment, or the nearest within `slack_ns` of it.
std::optional<std::size_t> span_at(const std::vector<TimelineSpan>& spans, std::int64_t time_ns,
                                   std::int64_t slack_ns);

}  // namespace ridgepoint
