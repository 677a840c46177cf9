#include "analyzer/timeline/picture.h"

#include <algorithm>

#include "analyzer/timeline/coverage.h"

namespace ridgepoint {
namespace {

// Spans that begin earlier may still run: only in lanes whose rows are used up do they overlap, and
// there this many are looked back upon.
constexpr std::size_t look_back = 256;

std::size_t first_from(const std::vector<TimelineSpan>& spans, std::int64_t from_ns) {
  const auto at = std::partition_point(
      spans.begin(), spans.end(), [&](const TimelineSpan& one) { return one.start_ns < from_ns; });
  auto first = static_cast<std::size_t>(at - spans.begin());
  for (std::size_t i = first, seen = 0; i > 0 && seen < look_back; ++seen) {
    --i;
    first = spans[i].end_ns > from_ns ? i : first;
  }
  return first;
}

// Neighbours gathered in one column.
class Merged {
 public:
  void add(std::size_t index, const TimelineSpan& span) {
    if (mark_.count == 0) {
      mark_ = {span.start_ns, span.end_ns, index, span.item, 0, 1};
      covered_ = {};
      times_.clear();
    }
    ++mark_.count;
    const std::int64_t time_ns = span.end_ns - span.start_ns;
    covered_.add(span.start_ns, span.end_ns);
    mark_.end_ns = std::max(mark_.end_ns, span.end_ns);
    // A column has few different kernels; of more than these the first ones speak.
    auto at = std::find_if(times_.begin(), times_.end(),
                           [&](const auto& one) { return one.first == span.item; });
    if (at == times_.end() && times_.size() < most_items) {
      at = times_.insert(at, {span.item, 0});
    }
    if (at != times_.end()) {
      at->second += time_ns;
    }
  }

  void flush(std::vector<PictureMark>& marks) {
    if (mark_.count == 0) {
      return;
    }
    const std::int64_t length = mark_.end_ns - mark_.start_ns;
    mark_.busy =
        length > 0 ? static_cast<double>(covered_.covered_ns()) / static_cast<double>(length) : 1.0;
    mark_.item = std::max_element(times_.begin(), times_.end(), [](const auto& a, const auto& b) {
                   return a.second < b.second;
                 })->first;
    marks.push_back(mark_);
    mark_.count = 0;
  }

 private:
  static constexpr std::size_t most_items = 32;

  PictureMark mark_;
  Coverage covered_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> times_;
};

double column_ns(TimeWindow window, std::size_t columns) {
  return std::max(1.0, static_cast<double>(window.to_ns - window.from_ns) /
                           static_cast<double>(std::max<std::size_t>(1, columns)));
}

std::int64_t column_of(std::int64_t time_ns, TimeWindow window, double width_ns) {
  return static_cast<std::int64_t>(static_cast<double>(time_ns - window.from_ns) / width_ns);
}

}  // namespace

std::vector<PictureMark> lane_picture(const std::vector<TimelineSpan>& spans, TimeWindow window,
                                      std::size_t columns) {
  const double width_ns = column_ns(window, columns);
  std::vector<PictureMark> marks;
  Merged merged;
  std::int64_t column = -1;
  for (std::size_t i = first_from(spans, window.from_ns);
       i < spans.size() && spans[i].start_ns <= window.to_ns; ++i) {
    const TimelineSpan& span = spans[i];
    if (static_cast<double>(span.end_ns - span.start_ns) >= width_ns) {
      merged.flush(marks);
      marks.push_back({span.start_ns, span.end_ns, i, span.item, 1, 1});
      continue;
    }
    const std::int64_t here = column_of(span.start_ns, window, width_ns);
    if (here != column) {
      merged.flush(marks);
      column = here;
    }
    merged.add(i, span);
  }
  merged.flush(marks);
  return marks;
}

std::vector<PictureMark> tick_picture(const std::vector<TimelineSpan>& ticks, TimeWindow window,
                                      std::size_t columns) {
  const double width_ns = column_ns(window, columns);
  std::vector<PictureMark> marks;
  std::int64_t column = -1;
  for (std::size_t i = first_from(ticks, window.from_ns);
       i < ticks.size() && ticks[i].start_ns <= window.to_ns; ++i) {
    const std::int64_t here = column_of(ticks[i].start_ns, window, width_ns);
    if (here == column && !marks.empty()) {
      ++marks.back().count;
      marks.back().end_ns = ticks[i].start_ns;
      continue;
    }
    column = here;
    marks.push_back({ticks[i].start_ns, ticks[i].start_ns, i, ticks[i].item, 1, 1});
  }
  return marks;
}

std::optional<std::size_t> span_at(const std::vector<TimelineSpan>& spans, std::int64_t time_ns,
                                   std::int64_t slack_ns) {
  std::optional<std::size_t> nearest;
  std::int64_t distance = slack_ns;
  for (std::size_t i = first_from(spans, time_ns - slack_ns);
       i < spans.size() && spans[i].start_ns <= time_ns + slack_ns; ++i) {
    const std::int64_t away =
        std::max<std::int64_t>({0, spans[i].start_ns - time_ns, time_ns - spans[i].end_ns});
    // Of those that hold the moment the last to begin lies in front.
    if (away < distance || (away <= distance && (!nearest || away == 0))) {
      nearest = i;
      distance = away;
    }
  }
  return nearest;
}

}  // namespace ridgepoint
