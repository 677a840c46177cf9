#include "analyzer/session/check_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace ridgepoint {
namespace {

// Far above any counter, size or rate (a peak of 1e16 FLOP/s for a year gives 3e23), and far enough
// below the largest double that sums and products of them stay finite.
constexpr double largest = 1e30;

std::string device_fault(const Session& session) {
  for (std::size_t i = 0; i < session.devices.size(); ++i) {
    const DeviceInfo& d = session.devices[i];
    // 0 stands for "not known" in all of these.
    const std::array<std::pair<const char*, double>, 12> values = {
        {{"sm_count", static_cast<double>(d.sm_count)},
         {"l2_bytes", static_cast<double>(d.l2_bytes)},
         {"smem_per_sm_bytes", static_cast<double>(d.smem_per_sm_bytes)},
         {"smem_per_block_bytes", static_cast<double>(d.smem_per_block_bytes)},
         {"smem_reserved_per_block_bytes", static_cast<double>(d.smem_reserved_per_block_bytes)},
         {"registers_per_sm", static_cast<double>(d.registers_per_sm)},
         {"warps_per_sm", static_cast<double>(d.warps_per_sm)},
         {"blocks_per_sm", static_cast<double>(d.blocks_per_sm)},
         {"sm_clock_max_hz", d.sm_clock_max_hz},
         {"memory_clock_max_hz", d.memory_clock_max_hz},
         {"memory_bytes", static_cast<double>(d.memory_bytes)},
         {"memory_bus_bits", static_cast<double>(d.memory_bus_bits)}}};
    for (const auto& [name, value] : values) {
      if (!possible_value(value)) {
        return fmt::format("devices[{}].{} is {:g}", i, name, value);
      }
    }
    for (const MeasuredCeiling& ceiling : d.measured_ceilings) {
      if (!possible_value(ceiling.value) || !possible_value(ceiling.ci95_half) ||
          !possible_value(ceiling.sm_clock_hz) || !possible_value(ceiling.power_w.value_or(0))) {
        return fmt::format("devices[{}] has a measured ceiling of {:g}", i, ceiling.value);
      }
    }
  }
  return {};
}

bool has_extent(const Dim3& dim) {
  return dim.x > 0 && dim.y > 0 && dim.z > 0;
}

std::string launch_fault(const Session& session) {
  for (std::size_t i = 0; i < session.launches.size(); ++i) {
    const Launch& launch = session.launches[i];
    if (!has_extent(launch.grid) || !has_extent(launch.block)) {
      return fmt::format("launches[{}] has a grid or block without extent", i);
    }
    if (launch.dynamic_smem_bytes < 0) {
      return fmt::format("launches[{}].dynamic_smem_bytes is {}", i, launch.dynamic_smem_bytes);
    }
  }
  return {};
}

std::string kernel_fault(const Session& session) {
  for (std::size_t i = 0; i < session.kernels.size(); ++i) {
    const KernelInfo& kernel = session.kernels[i];
    if (kernel.registers_per_thread.value_or(0) < 0 || kernel.static_smem_bytes.value_or(0) < 0 ||
        kernel.local_bytes_per_thread.value_or(0) < 0) {
      return fmt::format("kernels[{}] has a negative size", i);
    }
  }
  return {};
}

std::string counter_value_fault(const Session& session) {
  const CounterTable& counters = session.counters;
  for (std::size_t i = 0; i < counters.columns.size(); ++i) {
    for (const double value : counters.columns[i]) {
      if (!std::isnan(value) && !possible_value(value)) {  // NaN: not measured
        return fmt::format("counters.columns[{}] holds {:g}", i, value);
      }
    }
  }
  return {};
}

// Empty and NaN stand for "not measured".
bool possible_or_absent(const std::optional<double>& value) {
  return !value || std::isnan(*value) || possible_value(*value);
}

// Far beyond any device, so that a chart or a sum of what follows means something.
constexpr double most_watts = 1e5;
constexpr double most_hertz = 2e10;
constexpr double most_of_a_peak = 2;  // counters read a few per cent above their peak

bool beyond(const std::optional<double>& value, double most) {
  return value && *value > most;
}

std::string power_phase_fault(const PowerPhase& p) {
  if (p.end_ns < p.start_ns || p.start_ns < 0 || p.runs < 0 || p.samples < 0 ||
      p.energy_updates < 0) {
    return "ends before it starts, or counts below 0";
  }
  for (const std::int64_t part : {p.busy_samples, p.power_capped_samples, p.slowed_samples}) {
    if (part < 0 || part > p.samples) {
      return fmt::format("has {} samples, and {} of one kind", p.samples, part);
    }
  }
  if (beyond(p.power_mean_w, most_watts) || beyond(p.power_max_w, most_watts) ||
      (p.energy_j && p.energy_s && *p.energy_j > most_watts * *p.energy_s)) {
    return fmt::format("has more than {:g} W", most_watts);
  }
  for (const auto& clock : {p.sm_clock_min_hz, p.sm_clock_mean_hz, p.sm_clock_max_hz}) {
    if (beyond(clock, most_hertz)) {
      return fmt::format("has a clock of {:g} Hz", *clock);
    }
  }
  if ((p.sm_clock_min_hz && beyond(p.sm_clock_min_hz, p.sm_clock_max_hz.value_or(most_hertz))) ||
      beyond(p.sm_clock_mean_hz, p.sm_clock_max_hz.value_or(most_hertz) * 1.001)) {
    return "has a clock above its highest clock";
  }
  return {};
}

std::string power_fault(const Session& session) {
  std::map<std::uint32_t, std::int64_t> last_ns;
  for (std::size_t i = 0; i < session.power.size(); ++i) {
    const PowerSample& s = session.power[i];
    const auto [last, first] = last_ns.try_emplace(s.device, s.time_ns);
    if (s.time_ns < 0 || s.time_ns < last->second) {
      return fmt::format("power[{}] was taken before the one in front of it", i);
    }
    last->second = s.time_ns;
    if (s.power_w > most_watts || beyond(s.sm_clock_hz, most_hertz) ||
        beyond(s.memory_clock_hz, most_hertz)) {
      return fmt::format("power[{}] has {:g} W and {:g} Hz", i, s.power_w,
                         s.sm_clock_hz.value_or(0));
    }
    for (const auto& value : {std::optional<double>(s.power_w), s.energy_j, s.sm_clock_hz,
                              s.memory_clock_hz, s.temperature_c}) {
      if (!possible_or_absent(value)) {
        return fmt::format("power[{}] holds {:g}", i, *value);
      }
    }
  }
  for (std::size_t i = 0; i < session.power_phases.size(); ++i) {
    const PowerPhase& p = session.power_phases[i];
    for (const auto& value :
         {p.energy_j, p.energy_s, p.power_mean_w, p.power_max_w, p.temperature_max_c,
          p.sm_clock_min_hz, p.sm_clock_mean_hz, p.sm_clock_max_hz}) {
      if (!possible_or_absent(value)) {
        return fmt::format("power_phases[{}] holds {:g}", i, *value);
      }
    }
    if (const std::string fault = power_phase_fault(p); !fault.empty()) {
      return fmt::format("power_phases[{}] {}", i, fault);
    }
  }
  return {};
}

std::string series_value_fault(const Session& session) {
  for (std::size_t i = 0; i < session.pm_series.size(); ++i) {
    const PmSeries& series = session.pm_series[i];
    if (!possible_value(series.interval_s) || series.interval_s <= 0) {
      return fmt::format("pm_series[{}].interval_s is {:g}", i, series.interval_s);
    }
    for (const std::vector<double>* times : {&series.start_s, &series.end_s}) {
      for (const double time : *times) {
        if (!possible_value(time)) {
          return fmt::format("pm_series[{}] has a sample at {:g} s", i, time);
        }
      }
    }
    for (std::size_t s = 0; s < std::min(series.start_s.size(), series.end_s.size()); ++s) {
      if (series.end_s[s] < series.start_s[s] ||
          (s > 0 && series.start_s[s] < series.start_s[s - 1])) {
        return fmt::format("pm_series[{}] goes back in time at sample {}", i, s);
      }
    }
    for (std::size_t c = 0; c < series.columns.size(); ++c) {
      const bool share =
          c < series.names.size() && series.names[c].find(".pct_of_peak") != std::string::npos;
      for (const double value : series.columns[c]) {
        if (!std::isnan(value) &&
            (!possible_value(value) || (share && value > 100 * most_of_a_peak))) {
          return fmt::format("pm_series[{}] holds {:g}", i, value);
        }
      }
    }
  }
  return {};
}

std::string attention_fault(const Session& session) {
  if (!session.attention) {
    return {};
  }
  const AttentionWorkload& work = *session.attention;
  const AttentionShape& shape = work.shape;
  for (const std::int64_t extent :
       {shape.batch, shape.heads, shape.kv_heads, shape.seqlen_q, shape.seqlen_k, shape.head_dim}) {
    if (extent < 1) {
      return fmt::format("attention.shape has an extent of {}", extent);
    }
  }
  if (!possible_value(work.analytic_flop) || !possible_value(work.analytic_bytes)) {
    return fmt::format("attention has {:g} analytic FLOP and {:g} analytic bytes",
                       work.analytic_flop, work.analytic_bytes);
  }
  for (const VariantRun& variant : work.variants) {
    if (variant.workspace_bytes < 0) {
      return fmt::format("attention variant {} has a workspace of {} bytes", variant.name,
                         variant.workspace_bytes);
    }
    if (variant.saved_bytes.value_or(0) < 0 || variant.products.value_or(1) < 1 ||
        variant.products.value_or(1) > 1000) {
      return fmt::format("attention variant {} keeps {} bytes and executes {} products",
                         variant.name, variant.saved_bytes.value_or(0),
                         variant.products.value_or(1));
    }
  }
  return {};
}

}  // namespace

bool possible_value(double value) {
  return value >= 0 && value <= largest;
}

std::string value_fault(const Session& session) {
  for (const auto& check : {device_fault, launch_fault, kernel_fault, counter_value_fault,
                            attention_fault, power_fault, series_value_fault}) {
    if (std::string fault = check(session); !fault.empty()) {
      return fault;
    }
  }
  return {};
}

}  // namespace ridgepoint
