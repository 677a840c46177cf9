#include "analyzer/timeline/analyse_timeline.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>

#include "analyzer/session/range_row.h"
#include "analyzer/timeline/activity.h"
#include "analyzer/timeline/session_times.h"

namespace ridgepoint {
namespace {

bool has_timeline(const Session& session) {
  const auto launched = [&](const Launch& one) {
    return has_times(one.start_ns, one.end_ns) && !is_range_row(session.kernels[one.kernel].name);
  };
  const auto moved = [](const MemoryOperation& one) { return has_times(one.start_ns, one.end_ns); };
  return !session.attention &&
         (std::any_of(session.launches.begin(), session.launches.end(), launched) ||
          std::any_of(session.memory_operations.begin(), session.memory_operations.end(), moved));
}

// Kind, device, and stream, name or thread: in the order in which lanes are shown, but that ranges
// belong to no device and come last.
using LaneKey = std::tuple<std::uint32_t, LaneKind, std::uint64_t>;
constexpr std::uint32_t host = std::numeric_limits<std::uint32_t>::max();

struct Spans {
  std::vector<TimelineSpan> timed;
  std::vector<TimelineSpan> ticks;
};

class Builder {
 public:
  Builder(const Session& session, const std::vector<std::uint32_t>& kernel_of_launch)
      : session_(session), kernel_of_launch_(kernel_of_launch) {}

  std::shared_ptr<const Timeline> build();

 private:
  std::uint32_t name(std::string_view text);
  void add_paths();
  void add_launches();
  void add_memory();
  void add_ranges();
  void count_from_the_first();
  void make_lanes();
  void place(const LaneKey& key, Spans& spans);

  const Session& session_;
  const std::vector<std::uint32_t>& kernel_of_launch_;
  std::map<std::string_view, std::uint32_t> known_names_;
  std::vector<std::uint32_t> path_of_range_;
  std::map<LaneKey, Spans> spans_;
  Timeline timeline_;
};

std::uint32_t Builder::name(std::string_view text) {
  const auto [at, is_new] =
      known_names_.try_emplace(text, static_cast<std::uint32_t>(timeline_.names.size()));
  if (is_new) {
    timeline_.names.emplace_back(text);
  }
  return at->second;
}

void Builder::add_paths() {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
  for (std::size_t r = 0; r < session_.ranges.size(); ++r) {
    const NvtxRange& range = session_.ranges[r];
    // A parent stands before its children in any sound file; else the range stands alone.
    const bool nested = range.parent >= 0 && static_cast<std::size_t>(range.parent) < r;
    const std::uint32_t parent =
        nested ? path_of_range_[static_cast<std::size_t>(range.parent)] : no_detail;
    const auto [at, is_new] = known.try_emplace({parent, name(range.name)},
                                                static_cast<std::uint32_t>(timeline_.paths.size()));
    if (is_new) {
      timeline_.paths.push_back({parent, at->first.second});
    }
    path_of_range_.push_back(at->second);
  }
}

void Builder::add_launches() {
  for (std::size_t i = 0; i < session_.launches.size(); ++i) {
    const Launch& one = session_.launches[i];
    if (!is_placed(one.start_ns, one.end_ns)) {
      continue;
    }
    const std::uint32_t range =
        one.range >= 0 && static_cast<std::size_t>(one.range) < path_of_range_.size()
            ? path_of_range_[static_cast<std::size_t>(one.range)]
            : no_detail;
    Spans& lane = spans_[{one.device, LaneKind::kernels, one.stream}];
    (has_times(one.start_ns, one.end_ns) ? lane.timed : lane.ticks)
        .push_back({one.start_ns, one.end_ns, kernel_of_launch_[i], range});
  }
}

void Builder::add_memory() {
  for (const MemoryOperation& one : session_.memory_operations) {
    if (has_times(one.start_ns, one.end_ns)) {
      const std::uint32_t kind = name(one.kind);
      spans_[{one.device, LaneKind::memory, kind}].timed.push_back(
          {one.start_ns, one.end_ns, kind, static_cast<std::uint32_t>(timeline_.bytes.size())});
      timeline_.bytes.push_back(one.bytes);
    }
  }
}

void Builder::add_ranges() {
  for (std::size_t r = 0; r < session_.ranges.size(); ++r) {
    const NvtxRange& one = session_.ranges[r];
    if (is_placed(one.start_ns, one.end_ns)) {
      spans_[{host, LaneKind::ranges, one.thread}].timed.push_back(
          {one.start_ns, one.end_ns, name(one.name), path_of_range_[r]});
    }
  }
}

void Builder::count_from_the_first() {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = 0;
  const auto each = [&](auto&& act) {
    for (auto& [key, lane] : spans_) {
      std::for_each(lane.timed.begin(), lane.timed.end(), act);
      std::for_each(lane.ticks.begin(), lane.ticks.end(), act);
    }
  };
  each([&](const TimelineSpan& span) {
    first = std::min(first, span.start_ns);
    last = std::max(last, span.end_ns);
  });
  each([&](TimelineSpan& span) {
    span.start_ns -= first;
    span.end_ns -= first;
  });
  timeline_.origin_ns = first;
  timeline_.duration_ns = last - first;
}

// Each span into the first row that is free when it begins: so inner ranges come below those they
// lie in. What finds none stays in the last.
void Builder::place(const LaneKey& key, Spans& spans) {
  const auto& [device, kind, id] = key;
  const auto by_start = [](const TimelineSpan& a, const TimelineSpan& b) {
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
  };
  std::sort(spans.timed.begin(), spans.timed.end(), by_start);
  std::sort(spans.ticks.begin(), spans.ticks.end(), by_start);
  std::vector<TimelineLane> rows;
  std::vector<std::int64_t> ends;
  const auto open_row = [&] {
    TimelineLane lane;
    lane.kind = kind;
    lane.device = device == host ? 0 : device;
    lane.id = id;
    lane.row = static_cast<std::uint32_t>(rows.size());
    rows.push_back(std::move(lane));
    ends.push_back(0);
  };
  open_row();
  rows.front().ticks = std::move(spans.ticks);
  rows.front().spans.reserve(spans.timed.size());
  for (const TimelineSpan& span : spans.timed) {
    std::size_t row = 0;
    while (row < ends.size() && span.start_ns < ends[row]) {
      ++row;
    }
    if (row == ends.size()) {
      if (row < most_rows) {
        open_row();
      } else {
        --row;
      }
    }
    rows[row].spans.push_back(span);
    ends[row] = std::max(ends[row], span.end_ns);
  }
  spans.timed = {};
  for (TimelineLane& lane : rows) {
    timeline_.lanes.push_back(std::move(lane));
  }
}

void Builder::make_lanes() {
  for (auto& [key, spans] : spans_) {
    place(key, spans);
  }
}

std::shared_ptr<const Timeline> Builder::build() {
  add_paths();
  add_launches();
  add_memory();
  add_ranges();
  count_from_the_first();
  make_lanes();
  // Numbers are of all; only pictures are bounded.
  timeline_.devices = activity_of_devices(timeline_.lanes);
  timeline_.memory = memory_totals(session_);
  timeline_.busiest = busiest_stretch(timeline_.lanes, timeline_.duration_ns);
  if (timeline_.lanes.size() > most_lanes) {
    timeline_.lanes_left_out = timeline_.lanes.size() - most_lanes;
    timeline_.lanes.resize(most_lanes);
  }
  return std::make_shared<const Timeline>(std::move(timeline_));
}

}  // namespace

std::shared_ptr<const Timeline> analyse_timeline(
    const Session& session, const std::vector<std::uint32_t>& kernel_of_launch) {
  return has_timeline(session) ? Builder(session, kernel_of_launch).build() : nullptr;
}

}  // namespace ridgepoint
