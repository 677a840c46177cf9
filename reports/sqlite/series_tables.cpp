// Traffic by NVTX range, and what was watched over time.
#include <cmath>
#include <string>

#include "reports/sqlite/tables.h"

namespace ridgepoint::sqlite {
namespace {

void write_range(Insert& row, const RangeAnalysis& range) {
  row.text(range.path).integer(range.occurrences).integer(range.launches).real(range.time_s);
  for (const MemoryLevel level : memory_levels) {
    const Traffic& traffic = range.traffic[level];
    row.real(traffic.total).real(traffic.read).real(traffic.write);
  }
  row.add();
}

std::optional<double> measured(double value) {
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

void write_power(Database& database, const Analysis& analysis) {
  Insert phase(database, "power_phases", 14);
  Insert sample(database, "power_samples", 6);
  for (const PowerTrace& trace : analysis.power) {
    for (const PowerPhaseTrace& one : trace.phases) {
      phase.integer(trace.device).text(one.name).text(one.variant).real(one.start_s);
      phase.real(one.duration_s).integer(one.runs).real(one.power_w).real(one.energy_j);
      phase.real(one.sm_clock_min_hz).real(one.sm_clock_mean_hz).real(one.sm_clock_max_hz);
      phase.real(one.temperature_max_c).real(one.power_capped_share).real(one.slowed_share).add();
    }
    for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
      sample.integer(trace.device).real(trace.time_s[i]).real(measured(trace.power_w[i]));
      sample.real(measured(trace.sm_clock_hz[i])).real(measured(trace.memory_clock_hz[i]));
      sample.real(measured(trace.temperature_c[i])).add();
    }
  }
}

void write_pm_sampling(Database& database, const Analysis& analysis) {
  Insert row(database, "pm_samples", 5);
  for (const PmTrace& trace : analysis.pm_traces) {
    for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
      for (const PmChannel& channel : trace.channels) {
        if (const auto value = measured(channel.values[i])) {
          row.text(trace.variant).real(trace.time_s[i]).text(channel.id).real(value);
          row.text(channel.unit).add();
        }
      }
    }
  }
}

}  // namespace

void write_series(Database& database, const Analysis& analysis) {
  Insert range(database, "range_traffic", 13);
  if (analysis.run) {
    write_range(range, *analysis.run);
  }
  for (const RangeAnalysis& one : analysis.ranges) {
    write_range(range, one);
  }
  write_power(database, analysis);
  write_pm_sampling(database, analysis);
}

}  // namespace ridgepoint::sqlite
