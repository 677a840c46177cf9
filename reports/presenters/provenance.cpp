#include "reports/presenters/provenance.h"

#include <fmt/format.h>

#include <string_view>

#include "analyzer/core/text.h"
#include "reports/presenters/elide.h"
#include "reports/presenters/format.h"
#include "reports/presenters/known.h"
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

bool has_name(const Analysis& analysis) {
  return !analysis.devices.empty() && !analysis.devices.front().name.empty();
}

std::string device_name(const Analysis& analysis) {
  if (has_name(analysis)) {
    return printable(analysis.devices.front().name);
  }
  // Nsight Compute's details page names the chip only.
  return analysis.devices.empty() || analysis.devices.front().chip.empty()
             ? "an unknown device"
             : "an unnamed " + printable(analysis.devices.front().chip);
}

std::string or_unknown(const std::string& text) {
  return text.empty() ? "n/a" : text;
}

std::string device_text(const DeviceInfo& d) {
  const std::string capability =
      d.compute_capability_major > 0
          ? fmt::format("{}.{}", d.compute_capability_major, d.compute_capability_minor)
          : "n/a";
  const std::optional<std::int64_t> sms = known(d.sm_count);
  return fmt::format("{} ({}, compute capability {}, {} SMs)", or_unknown(d.name),
                     or_unknown(d.chip), capability, sms ? std::to_string(*sms) : "n/a");
}

std::string memory_text(const DeviceInfo& d) {
  const auto text = [](std::int64_t bytes, Unit unit) {
    return format_quantity(known(static_cast<double>(bytes)), unit);
  };
  return text(d.memory_bytes, Unit::byte) + " device memory, " +
         text(d.l2_bytes, Unit::memory_size) + " L2, " +
         text(d.smem_per_sm_bytes, Unit::memory_size) + " shared memory an SM";
}

std::string clock_text(const DeviceInfo& d) {
  return format_quantity(known(d.sm_clock_max_hz), Unit::hertz) + " SM, " +
         format_quantity(known(d.memory_clock_max_hz), Unit::hertz) + " memory";
}

std::string counters_text(const Policy& p) {
  if (p.counter_profile == "none") {
    return "none read";
  }
  const std::optional<std::int64_t> passes = known(p.passes);
  return fmt::format("profile {}, {}", p.counter_profile,
                     passes ? fmt::format("{} passes", *passes) : "number of passes n/a");
}

// "by reading 252 MB" for "by reading 251658240 bytes". The session keeps the exact number, and a
// budget's conditions are compared with that.
std::string with_short_sizes(const std::string& text) {
  constexpr std::string_view unit = " bytes";
  constexpr std::size_t most_digits = 18;
  std::string shorter;
  std::size_t at = 0;
  for (std::size_t found = text.find(unit); found != std::string::npos;
       found = text.find(unit, found + unit.size())) {
    std::size_t first = found;
    while (first > at && '0' <= text[first - 1] && text[first - 1] <= '9') {
      --first;
    }
    // "4,096 bytes" and "x4096 bytes" are no whole number that begins here.
    const bool begins = first == at || text[first - 1] == ' ' || text[first - 1] == '(';
    if (const std::size_t digits = found - first; begins && digits > 0 && digits <= most_digits) {
      shorter += text.substr(at, first - at) +
                 format_quantity(std::stod(text.substr(first, digits)), Unit::byte);
      at = found + unit.size();
    }
  }
  return shorter + text.substr(at);
}

std::string on_date(const std::string& date) {
  return date.empty() ? "" : " on " + date;
}

std::string overhead_text(const Policy& p) {
  std::string text = fmt::format("of {} that the program ran, {} went into measuring",
                                 format_quantity(*p.run_s, Unit::second),
                                 format_quantity(*p.measuring_s, Unit::second));
  if (p.overhead_factor) {
    text += fmt::format(": at least {} the plain run's time",
                        format_quantity(*p.overhead_factor, Unit::factor));
  }
  return text;
}

}  // namespace

std::string provenance_line(const Analysis& analysis) {
  const std::string device = device_name(analysis);
  const std::string& time = analysis.producer.time_utc;
  switch (analysis.source) {
    case Source::measured:
      return "measured on " + device + on_date(date_of(time, true));
    case Source::recording:
      return (has_name(analysis) ? "recording made on a real " : "recording made on ") + device +
             on_date(date_of(time, false));
    case Source::imported:
      return "imported from another tool (" + printable(analysis.producer.version) +
             "), measured on " + device;
    case Source::predicted:
      return "predicted by the model for " + device + ": nothing was measured";
  }
  return "";
}

std::string session_line(const Analysis& analysis) {
  std::string line = provenance_line(analysis);
  if (!line.empty() && 'a' <= line[0] && line[0] <= 'z') {
    line[0] = static_cast<char>(line[0] - 'a' + 'A');
  }
  if (analysis.attention) {
    return line + ". Attention: " + workload_text(*analysis.attention) + ".";
  }
  constexpr std::size_t longest_command = 300;
  const std::string command = elide(printable(analysis.producer.command_line), longest_command);
  return line + (command.empty() ? "." : ". Command: " + command);
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
    add("Device", device_text(d));
    add("Memory", memory_text(d));
    add("Clock limits", clock_text(d));
    add("Driver", d.driver_version);
    add("CUDA runtime", d.runtime_version);
    add("CUPTI", d.cupti_version);
  }
  const Policy& p = analysis.policy;
  if (!p.counter_profile.empty()) {
    add("Counters", counters_text(p));
  }
  add("Replay", p.replay_mode);
  add("Caches", with_short_sizes(p.cache_control));
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
  if (p.run_s && p.measuring_s) {
    add("Overhead", overhead_text(p));
  } else if (p.overhead_factor) {
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
