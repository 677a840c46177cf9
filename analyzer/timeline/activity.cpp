#include "analyzer/timeline/activity.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analyzer/timeline/coverage.h"
#include "analyzer/timeline/session_times.h"

namespace ridgepoint {
namespace {

constexpr double seconds_per_ns = 1e-9;

struct Work {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  WorkName name;
};

void sweep(std::vector<Work>& work, DeviceActivity& device) {
  std::sort(work.begin(), work.end(),
            [](const Work& a, const Work& b) { return a.start_ns < b.start_ns; });
  // Rows of one stream and several streams run side by side.
  Coverage all;
  Coverage kernels;
  Coverage memory;
  const Work* last = &work.front();
  device.first_ns = last->start_ns;
  for (const Work& one : work) {
    const std::int64_t gap_ns = one.start_ns - last->end_ns;
    const std::int64_t widest =
        device.largest_gap ? device.largest_gap->end_ns - device.largest_gap->start_ns : 0;
    if (gap_ns > widest) {
      device.largest_gap = ActivityGap{last->end_ns, one.start_ns, last->name, one.name};
    }
    last = one.end_ns > last->end_ns ? &one : last;
    all.add(one.start_ns, one.end_ns);
    (one.name.kind == LaneKind::kernels ? kernels : memory).add(one.start_ns, one.end_ns);
  }
  device.last_ns = last->end_ns;
  device.busy_ns = all.covered_ns();
  device.kernel_ns = kernels.covered_ns();
  device.memory_ns = memory.covered_ns();
  if (device.untimed > 0) {
    device.largest_gap.reset();
  }
}

}  // namespace

std::vector<DeviceActivity> activity_of_devices(const std::vector<TimelineLane>& lanes) {
  std::map<std::uint32_t, std::pair<DeviceActivity, std::vector<Work>>> devices;
  for (const TimelineLane& lane : lanes) {
    if (lane.kind == LaneKind::ranges) {
      continue;
    }
    auto& [device, work] = devices[lane.device];
    device.device = lane.device;
    for (const TimelineSpan& span : lane.spans) {
      work.push_back({span.start_ns, span.end_ns, {lane.kind, span.item}});
    }
    if (lane.kind == LaneKind::kernels) {
      device.launches += static_cast<std::int64_t>(lane.spans.size() + lane.ticks.size());
      device.untimed += static_cast<std::int64_t>(lane.ticks.size());
    }
  }
  std::vector<DeviceActivity> result;
  for (auto& [index, one] : devices) {
    auto& [device, work] = one;
    if (!work.empty()) {
      sweep(work, device);
    }
    result.push_back(device);
  }
  return result;
}

std::vector<MemoryTotal> memory_totals(const Session& session) {
  std::map<std::pair<std::uint32_t, std::string_view>, MemoryTotal> totals;
  for (const MemoryOperation& one : session.memory_operations) {
    MemoryTotal& total = totals[{one.device, one.kind}];
    total.device = one.device;
    total.kind = one.kind;
    ++total.count;
    // Bytes without a time would make a rate that nothing had.
    total.bytes += static_cast<double>(one.bytes);
    total.time_s += has_times(one.start_ns, one.end_ns)
                        ? static_cast<double>(one.end_ns - one.start_ns) * seconds_per_ns
                        : not_measured;
  }
  std::vector<MemoryTotal> result;
  for (auto& [key, total] : totals) {
    total.time_s = std::isnan(total.time_s) ? 0 : total.time_s;
    result.push_back(std::move(total));
  }
  return result;
}

std::optional<TimeWindow> busiest_stretch(const std::vector<TimelineLane>& lanes,
                                          std::int64_t duration_ns) {
  constexpr std::size_t parts = 4096;
  const double part_ns = static_cast<double>(duration_ns) / parts;
  std::vector<double> busy(parts, 0);
  double whole = 0;
  for (const TimelineLane& lane : lanes) {
    if (lane.kind != LaneKind::kernels) {
      continue;
    }
    for (const TimelineSpan& span : lane.spans) {
      // A long span is shared out over the parts that it covers.
      const auto at = [&](std::int64_t time_ns) { return static_cast<double>(time_ns) / part_ns; };
      const double from = at(span.start_ns);
      const double to = at(span.end_ns);
      for (auto part = static_cast<std::size_t>(from);
           part < parts && static_cast<double>(part) < to; ++part) {
        const auto left = static_cast<double>(part);
        busy[part] += std::min(to, left + 1) - std::max(from, left);
      }
      whole += to - from;
    }
  }
  std::size_t best_from = 0;
  std::size_t best_length = parts;
  double sum = 0;
  for (std::size_t from = 0, to = 0; whole > 0 && to < parts; ++to) {
    sum += busy[to];
    for (; sum >= whole / 2 && from <= to; ++from) {
      if (to + 1 - from < best_length) {
        best_length = to + 1 - from;
        best_from = from;
      }
      sum -= busy[from];
    }
  }
  if (best_length > parts / 4) {
    return std::nullopt;
  }
  const double room = static_cast<double>(best_length) * 0.03;
  const auto time_of = [&](double part) {
    return static_cast<std::int64_t>(
        std::clamp(part * part_ns, 0.0, static_cast<double>(duration_ns)));
  };
  return TimeWindow{time_of(static_cast<double>(best_from) - room),
                    time_of(static_cast<double>(best_from + best_length) + room)};
}

}  // namespace ridgepoint
