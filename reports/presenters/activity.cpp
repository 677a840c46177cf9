#include "reports/presenters/activity.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/session/counter_wish.h"
#include "analyzer/timeline/timeline.h"
#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"
#include "reports/presenters/timeline.h"

namespace ridgepoint {
namespace {

std::string busy_text(const DeviceActivity& device) {
  std::string text = device.untimed > 0 ? "at least " : "";
  text += format_quantity(device.busy_share(), Unit::share) + " of the span";
  text += ": kernels " + format_ns(device.kernel_ns);
  if (device.memory_ns > 0) {
    text += ", copies and fills " + format_ns(device.memory_ns);
    text += device.overlap_ns() > 0
                ? ", of these " + format_ns(device.overlap_ns()) + " beside kernels"
                : ", none of it beside kernels";
  }
  return text;
}

std::string launches_text(const DeviceActivity& device) {
  const std::string launches =
      format_count(device.launches) + (device.launches == 1 ? " launch" : " launches");
  if (device.untimed == 0) {
    return launches + ", all with their times";
  }
  return fmt::format(
      "{}, {} of them without a time: listed when they were launched; in no sum of times here",
      launches, format_count(device.untimed));
}

std::string gap_text(const Analysis& analysis, const DeviceActivity& device) {
  if (!device.largest_gap) {
    return device.untimed > 0 ? "not known: launches without a time may have run in any" : "none";
  }
  const ActivityGap& gap = *device.largest_gap;
  return fmt::format("{}, between {} and {}, from {} on", format_ns(gap.end_ns - gap.start_ns),
                     span_name(analysis, gap.before.kind, gap.before.item),
                     span_name(analysis, gap.after.kind, gap.after.item),
                     time_text(*analysis.timeline, gap.start_ns));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> activity_facts(const Analysis& analysis) {
  std::vector<std::pair<std::string, std::string>> facts;
  if (!analysis.timeline) {
    return facts;
  }
  for (const DeviceActivity& device : analysis.timeline->devices) {
    const std::string gpu =
        analysis.devices.size() > 1 ? fmt::format(", GPU {}", device.device) : "";
    if (device.span_ns() > 0) {
      facts.emplace_back("Span" + gpu, format_ns(device.span_ns()) +
                                           ", from the first to the last work on the GPU");
      facts.emplace_back("GPU busy" + gpu, busy_text(device));
      facts.emplace_back("Largest gap" + gpu, gap_text(analysis, device));
    }
    facts.emplace_back("Kernels" + gpu, launches_text(device));
  }
  return facts;
}

Table memory_operation_table(const Analysis& analysis) {
  Table table{"memory_operations", "Copies and fills", {}, {}};
  table.columns = {
      {"device", "GPU", "", Unit::count},
      {"kind", "Copies and fills", "By direction", Unit::text},
      {"count", "Count", "", Unit::count},
      {"bytes", "Bytes", "Added up", Unit::byte},
      {"time_s", "Time", "Added up, of those that ran side by side too", Unit::second},
      {"bytes_per_s", "Rate", "Bytes / time", Unit::byte_per_s},
  };
  if (analysis.timeline) {
    for (const MemoryTotal& one : analysis.timeline->memory) {
      Row row;
      row.cells = {analysis.devices.size() > 1 ? count_cell(one.device) : Cell(),
                   text_cell(one.kind),
                   count_cell(one.count),
                   number_cell(one.bytes),
                   one.time_s > 0 ? number_cell(one.time_s) : Cell(),
                   number_cell(one.bytes_per_s())};
      table.rows.push_back(std::move(row));
    }
  }
  return without_empty_columns(table);
}

std::string activity_summary(const Analysis& analysis) {
  std::string text;
  for (const auto& [name, value] : activity_facts(analysis)) {
    text += (text.empty() ? "" : " ") + name + ": " + value + ".";
  }
  return text;
}

bool counters_unwanted(const Analysis& analysis) {
  return analysis.timeline != nullptr && wanted_no_counters(analysis.producer, analysis.policy);
}

bool is_timeline_alone(const Analysis& analysis) {
  const auto counted_or_sampled = [](const KernelAnalysis& kernel) {
    return !kernel.stalls.empty() ||
           std::any_of(kernel.traffic.values.begin(), kernel.traffic.values.end(),
                       [](const Traffic& traffic) { return traffic.total.has_value(); });
  };
  return analysis.timeline != nullptr &&
         std::none_of(analysis.kernels.begin(), analysis.kernels.end(), counted_or_sampled);
}

}  // namespace ridgepoint
