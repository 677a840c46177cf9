#include "reports/presenters/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analyzer/core/grouped_digits.h"
#include "analyzer/core/text.h"
#include "reports/presenters/format.h"

namespace ridgepoint {
namespace {

constexpr std::array<std::string_view, 6> kernel_colours = {"fused",   "naive",   "series3",
                                                            "series4", "series5", "stall-memory"};
constexpr std::string_view other_colour = "other";
constexpr std::string_view memory_colour = "stall-sync";
constexpr std::string_view range_colour = "roof";

struct TimeUnit {
  double ns;
  const char* symbol;
};
constexpr TimeUnit second = {1e9, "s"};
constexpr TimeUnit millisecond = {1e6, "ms"};
constexpr TimeUnit microsecond = {1e3, "µs"};

std::string in_unit(double time_ns, const TimeUnit& unit, int decimals) {
  return grouped_digits(fmt::format("{:.{}f}", time_ns / unit.ns, decimals)) + " " + unit.symbol;
}

const char* noun(LaneKind kind) {
  switch (kind) {
    case LaneKind::kernels:
      return "kernels";
    case LaneKind::memory:
      return "operations";
    case LaneKind::ranges:
      break;
  }
  return "ranges";
}

std::size_t coloured_kernels(const Analysis& analysis) {
  std::size_t count = 0;
  while (count < std::min(analysis.kernels.size(), kernel_colours.size()) &&
         analysis.kernels[count].time_s) {
    ++count;
  }
  return count;
}

}  // namespace

std::string lane_label(const Analysis& analysis, const TimelineLane& lane) {
  if (lane.row > 0) {
    return "";
  }
  const std::string gpu =
      analysis.devices.size() > 1 ? fmt::format("GPU {}, ", lane.device) : std::string();
  switch (lane.kind) {
    case LaneKind::kernels:
      return fmt::format("{}stream {}", gpu, lane.id);
    case LaneKind::memory:
      return gpu + printable(analysis.timeline->names[lane.id]);
    case LaneKind::ranges:
      break;
  }
  return fmt::format("NVTX, thread {}", lane.id);
}

std::string span_name(const Analysis& analysis, LaneKind kind, std::uint32_t item) {
  if (kind == LaneKind::kernels) {
    return item < analysis.kernels.size() ? printable(analysis.kernels[item].short_name) : "kernel";
  }
  return printable(analysis.timeline->names[item]);
}

std::vector<std::string> span_lines(const Analysis& analysis, const TimelineLane& lane,
                                    const TimelineSpan& span, bool tick) {
  const Timeline& timeline = *analysis.timeline;
  std::vector<std::string> lines = {span_name(analysis, lane.kind, span.item)};
  if (tick) {
    lines.push_back("launched at " + time_text(timeline, span.start_ns) +
                    "; when and how long it ran was not measured");
  } else {
    lines.push_back("start " + time_text(timeline, span.start_ns));
    lines.push_back("duration " + format_ns(span.end_ns - span.start_ns));
  }
  if (lane.kind != LaneKind::ranges && analysis.devices.size() > 1) {
    lines.push_back(fmt::format("GPU {}", lane.device));
  }
  if (lane.kind == LaneKind::kernels) {
    lines.push_back(fmt::format("stream {}", lane.id));
    const std::string range = timeline.path(span.detail);
    lines.push_back(range.empty() ? "in no NVTX range" : "NVTX range " + printable(range));
  } else if (lane.kind == LaneKind::memory && span.detail < timeline.bytes.size()) {
    const auto bytes = static_cast<double>(timeline.bytes[span.detail]);
    const auto time_s = static_cast<double>(span.end_ns - span.start_ns) * 1e-9;
    lines.push_back(format_quantity(bytes, Unit::byte) + ", " +
                    format_quantity(bytes / time_s, Unit::byte_per_s));
  } else if (lane.kind == LaneKind::ranges) {
    const std::string path = printable(timeline.path(span.detail));
    if (path != lines.front()) {
      lines.push_back("NVTX range " + path);
    }
    lines.push_back(fmt::format("thread {}", lane.id));
  }
  return lines;
}

std::vector<std::string> mark_lines(const Analysis& analysis, const TimelineLane& lane,
                                    const PictureMark& mark, bool tick) {
  if (mark.count == 1) {
    return span_lines(analysis, lane, tick ? lane.ticks[mark.first] : lane.spans[mark.first], tick);
  }
  const std::string from = time_text(*analysis.timeline, mark.start_ns);
  if (tick) {
    return {format_count(mark.count) + " launches without a time", "the first at " + from};
  }
  return {format_count(mark.count) + " " + noun(lane.kind) + ", most of the time " +
              span_name(analysis, lane.kind, mark.item),
          "start " + from,
          "within " + format_ns(mark.end_ns - mark.start_ns) + ", busy " +
              format_quantity(mark.busy, Unit::share) + " of it"};
}

std::string_view span_colour(const Analysis& analysis, LaneKind kind, std::uint32_t item) {
  switch (kind) {
    case LaneKind::kernels:
      return item < coloured_kernels(analysis) ? kernel_colours[item] : other_colour;
    case LaneKind::memory:
      return memory_colour;
    case LaneKind::ranges:
      break;
  }
  return range_colour;
}

std::vector<TimelineLegend> timeline_legend(const Analysis& analysis) {
  std::vector<TimelineLegend> legend;
  const std::size_t coloured = coloured_kernels(analysis);
  for (std::size_t i = 0; i < coloured; ++i) {
    legend.push_back({kernel_colours[i], printable(analysis.kernels[i].short_name), i});
  }
  if (coloured < analysis.kernels.size()) {
    const auto others = static_cast<std::int64_t>(analysis.kernels.size() - coloured);
    legend.push_back({other_colour,
                      format_count(others) + (coloured > 0 ? " other kernel" : " kernel") +
                          (others == 1 ? "" : "s"),
                      std::nullopt});
  }
  const auto has = [&](LaneKind kind) {
    return std::any_of(analysis.timeline->lanes.begin(), analysis.timeline->lanes.end(),
                       [&](const TimelineLane& lane) { return lane.kind == kind; });
  };
  if (has(LaneKind::memory)) {
    legend.push_back({memory_colour, "copies and fills", std::nullopt});
  }
  if (has(LaneKind::ranges)) {
    legend.push_back({range_colour, "NVTX ranges", std::nullopt});
  }
  return legend;
}

std::string time_text(const Timeline& timeline, std::int64_t time_ns) {
  constexpr std::int64_t short_ns = 1'000'000;
  return in_unit(static_cast<double>(time_ns),
                 timeline.duration_ns < short_ns ? microsecond : millisecond, 3);
}

std::vector<TimeTick> time_ticks(TimeWindow window, std::size_t most) {
  const auto length = static_cast<double>(window.to_ns - window.from_ns);
  if (length <= 0 || most == 0) {
    return {};
  }
  double step = std::pow(10.0, std::floor(std::log10(length / static_cast<double>(most))));
  while (length / step > static_cast<double>(most)) {
    // 1, 2, 5, 10, 20 ...
    const double lead = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
    step *= lead < 1.5 || lead > 4.5 ? 2 : 2.5;
  }
  step = std::max(1.0, std::round(step));
  const TimeUnit& unit = length >= 1e10 ? second : (length >= 1e6 ? millisecond : microsecond);
  const int decimals =
      std::clamp(static_cast<int>(std::ceil(-std::log10(step / unit.ns) - 1e-9)), 0, 9);
  std::vector<TimeTick> ticks;
  const double first = std::ceil(static_cast<double>(window.from_ns) / step);
  for (double n = first; n * step <= static_cast<double>(window.to_ns); n += 1) {
    ticks.push_back({static_cast<std::int64_t>(n * step), in_unit(n * step, unit, decimals)});
  }
  return ticks;
}

std::string busiest_title() {
  return "The shortest stretch with half of the kernels' time";
}

std::string timeline_caption(const Analysis& analysis) {
  const Timeline& timeline = *analysis.timeline;
  std::string text =
      "A lane is a stream, a kind of copy or fill, or a thread's NVTX ranges, with further rows "
      "for what overlaps or lies inside. Where spans are too narrow to be drawn apart, the height "
      "is the share of the time that is busy.";
  const bool ticks = std::any_of(timeline.lanes.begin(), timeline.lanes.end(),
                                 [](const TimelineLane& lane) { return !lane.ticks.empty(); });
  if (ticks) {
    text +=
        " Thin ticks are launches without a time, at the moment the program launched them: when "
        "and how long they ran was not measured.";
  }
  if (timeline.lanes_left_out > 0) {
    text += fmt::format(" {} further lanes are not drawn.", timeline.lanes_left_out);
  }
  return text;
}

}  // namespace ridgepoint
