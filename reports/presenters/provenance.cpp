#include "reports/presenters/provenance.h"

#include <fmt/format.h>

#include "analyzer/core/text.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"

namespace ridgepoint {
namespace {

// "2026-11-29" or "2026-11-29 17:40 UTC" from ISO 8601; anything else as it stands.
std::string date_of(const std::string& time_utc, bool with_time) {
  const std::string time = printable(time_utc);
  if (time.size() < 16 || time[10] != 'T') {
    return time;
  }
  return time.substr(0, 10) + (with_time ? " " + time.substr(11, 5) + " UTC" : "");
}

std::string device_name(const Analysis& analysis) {
  return analysis.devices.empty() ? "an unknown device" : printable(analysis.devices.front().name);
}

std::string on_date(const std::string& date) {
  return date.empty() ? "" : " on " + date;
}

}  // namespace

std::string provenance_line(const Analysis& analysis) {
  const std::string device = device_name(analysis);
  const std::string& time = analysis.producer.time_utc;
  switch (analysis.source) {
    case Source::measured:
      return "measured on " + device + on_date(date_of(time, true));
    case Source::recording:
      return (analysis.devices.empty() ? "recording made on " : "recording made on a real ") +
             device + on_date(date_of(time, false));
    case Source::imported:
      return "imported from another tool (" + printable(analysis.producer.version) +
             "), measured on " + device;
    case Source::predicted:
      return "predicted by the model for " + device + ": nothing was measured";
  }
  return "";
}

std::string how_title(const Analysis& analysis) {
  return analysis.source == Source::predicted ? "What it was predicted for" : "How it was measured";
}

std::vector<std::pair<std::string, std::string>> how_measured(const Analysis& analysis) {
  std::vector<std::pair<std::string, std::string>> lines;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      lines.emplace_back(name, printable(value));
    }
  };
  for (const DeviceInfo& d : analysis.devices) {
    add("Device", fmt::format("{} ({}, compute capability {}.{}, {} SMs)", d.name, d.chip,
                              d.compute_capability_major, d.compute_capability_minor, d.sm_count));
    add("Memory", fmt::format("{} device memory, {:.1f} MiB L2, {:.0f} KiB shared memory an SM",
                              format_quantity(static_cast<double>(d.memory_bytes), Unit::byte),
                              static_cast<double>(d.l2_bytes) / 1048576.0,
                              static_cast<double>(d.smem_per_sm_bytes) / 1024.0));
    add("Clock limits", format_quantity(d.sm_clock_max_hz, Unit::hertz) + " SM, " +
                            format_quantity(d.memory_clock_max_hz, Unit::hertz) + " memory");
    add("Driver", d.driver_version);
    add("CUDA runtime", d.runtime_version);
    add("CUPTI", d.cupti_version);
  }
  const Policy& p = analysis.policy;
  if (!p.counter_profile.empty()) {
    add("Counters", p.counter_profile == "none"
                        ? "none read"
                        : fmt::format("profile {}, {} passes", p.counter_profile, p.passes));
  }
  add("Replay", p.replay_mode);
  add("Caches", p.cache_control);
  if (!p.clock_control.empty()) {
    add("Clocks", p.clock_control == "none" ? "left alone and reported" : p.clock_control);
  }
  if (p.latency_repeats > 0) {
    add("Latency",
        fmt::format("{} repeats after {} warm-up runs", p.latency_repeats, p.warmup_runs));
  }
  if (p.pc_sampling_period_cycles > 0) {
    add("PC sampling", fmt::format("every {} cycles", p.pc_sampling_period_cycles));
  }
  for (const std::string& filter : p.filters) {
    add("Filter", filter);
  }
  if (p.overhead_factor) {
    add("Overhead", format_quantity(*p.overhead_factor, Unit::factor) + " the plain run's time");
  }
  if (analysis.attention) {
    add("Workload", "attention " + workload_text(*analysis.attention));
  }
  add("Command", analysis.producer.command_line);
  add("Ridgepoint", analysis.producer.version);
  add("Time", analysis.producer.time_utc);
  add("Host", analysis.producer.host.value_or(""));
  return lines;
}

}  // namespace ridgepoint
