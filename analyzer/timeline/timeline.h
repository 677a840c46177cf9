// What the GPUs of a profiled program did over time: spans in lanes, for pictures, and the numbers
// that stand beside them. Made once when a session is opened; holds no pointers into it, and 24
// bytes a launch, so that a million of them can be looked at without the session.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {

// In the order in which lanes of a device are shown; ranges are of the host and come last.
enum class LaneKind { kernels, memory, ranges };

inline constexpr std::uint32_t no_detail = ~std::uint32_t{0};

struct TimelineSpan {
  std::int64_t start_ns = 0;  // after Timeline::origin_ns
  std::int64_t end_ns = 0;
  // Kernels: index into Analysis::kernels. Memory and ranges: index into Timeline::names.
  std::uint32_t item = 0;
  // Kernels: the innermost NVTX range they were launched in, index into Timeline::paths. Memory:
  // index into Timeline::bytes.
  std::uint32_t detail = no_detail;
};

// What happened one after the other. Where spans of one stream, kind or thread lie side by side or
// inside one another, each further row is a lane of its own.
struct TimelineLane {
  LaneKind kind = LaneKind::kernels;
  std::uint32_t device = 0;  // not of ranges
  std::uint64_t id = 0;      // stream; of memory the kind, index into Timeline::names; thread
  std::uint32_t row = 0;     // 0 for the first; of ranges the depth of nesting
  std::vector<TimelineSpan> spans;  // by start
  // Launches that were listed and not timed, when the program launched them: both ends are that
  // moment. When and how long they ran is not known.
  std::vector<TimelineSpan> ticks;
};

// A name on the way to an NVTX range, "step" of "step/backward".
struct RangePath {
  std::uint32_t parent = no_detail;
  std::uint32_t name = 0;  // index into Timeline::names
};

// A span of work on a GPU without its times.
struct WorkName {
  LaneKind kind = LaneKind::kernels;
  std::uint32_t item = 0;
};

struct ActivityGap {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  WorkName before, after;
};

// Between the first and the last moment at which a device is seen to work.
struct DeviceActivity {
  std::uint32_t device = 0;
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
  std::int64_t busy_ns = 0;  // anything ran: kernels, copies, fills
  std::int64_t kernel_ns = 0;
  std::int64_t memory_ns = 0;
  std::int64_t launches = 0;
  std::int64_t untimed = 0;  // of these: listed, not timed; they are in no sum of times
  // Empty where launches without a time may have run in it, and where nothing lay idle.
  std::optional<ActivityGap> largest_gap;

  std::int64_t span_ns() const { return last_ns - first_ns; }
  // Where launches have no time the least that it can be.
  std::optional<double> busy_share() const;
  // Copies and fills that ran beside kernels.
  std::int64_t overlap_ns() const { return kernel_ns + memory_ns - busy_ns; }
};

// All copies or fills of one kind on one device.
struct MemoryTotal {
  std::uint32_t device = 0;
  std::string kind;  // "copy host to device", "fill"
  std::int64_t count = 0;
  double bytes = 0;
  double time_s = 0;                          // added up
  std::optional<double> bytes_per_s() const;  // empty without a time
};

struct TimeWindow {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
};

struct Timeline {
  std::int64_t origin_ns = 0;    // wall clock
  std::int64_t duration_ns = 0;  // to the end of the last span or tick; positive
  std::vector<TimelineLane> lanes;
  std::size_t lanes_left_out = 0;  // beyond most_lanes
  std::vector<std::string> names;  // as the session has them
  std::vector<RangePath> paths;    // parents before children
  std::vector<std::uint64_t> bytes;
  std::vector<DeviceActivity> devices;  // those that did something
  std::vector<MemoryTotal> memory;      // by device and kind
  // The shortest stretch with half of the kernels' time, where it is a small part of the whole.
  std::optional<TimeWindow> busiest;

  TimeWindow whole() const { return {0, duration_ns}; }
  // "step/backward", at most 16 names; empty for none.
  std::string path(std::uint32_t detail) const;
};

// More than anyone looks at; a forged file must not make a million of them.
inline constexpr std::size_t most_lanes = 256;
inline constexpr std::uint32_t most_rows = 16;

}  // namespace ridgepoint
