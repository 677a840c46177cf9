#include "analyzer/analysis/power.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ridgepoint {
namespace {

constexpr double seconds_per_ns = 1e-9;

std::optional<double> counted_power_w(const PowerPhase& phase) {
  const bool long_enough = phase.energy_updates >= fewest_energy_updates && phase.energy_j &&
                           phase.energy_s && *phase.energy_s > 0;
  return long_enough ? std::optional<double>(*phase.energy_j / *phase.energy_s) : std::nullopt;
}

double duration_s(const PowerPhase& phase) {
  return static_cast<double>(phase.end_ns - phase.start_ns) * seconds_per_ns;
}

std::optional<double> share_of(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? std::optional<double>(static_cast<double>(part) / static_cast<double>(whole))
                   : std::nullopt;
}

PowerPhaseTrace phase_trace(const PowerPhase& phase, std::int64_t origin_ns) {
  PowerPhaseTrace trace;
  trace.name = phase.name;
  trace.variant = phase.variant;
  trace.start_s = static_cast<double>(phase.start_ns - origin_ns) * seconds_per_ns;
  trace.duration_s = duration_s(phase);
  trace.runs = phase.runs;
  const std::optional<double> counted = counted_power_w(phase);
  trace.power_w = counted ? counted : phase.power_mean_w;
  if (counted) {
    trace.energy_j = *counted * trace.duration_s;
  }
  trace.sm_clock_min_hz = phase.sm_clock_min_hz;
  trace.sm_clock_mean_hz = phase.sm_clock_mean_hz;
  trace.sm_clock_max_hz = phase.sm_clock_max_hz;
  trace.temperature_max_c = phase.temperature_max_c;
  trace.power_capped_share = share_of(phase.power_capped_samples, phase.samples);
  trace.slowed_share = share_of(phase.slowed_samples, phase.samples);
  return trace;
}

PowerTrace device_trace(std::uint32_t device, std::vector<PowerSample> samples,
                        const Session& session) {
  std::stable_sort(samples.begin(), samples.end(), [](const PowerSample& a, const PowerSample& b) {
    return a.time_ns < b.time_ns;
  });
  PowerTrace trace;
  trace.device = device;
  const std::int64_t origin_ns = samples.front().time_ns;
  for (const PowerSample& sample : samples) {
    trace.time_s.push_back(static_cast<double>(sample.time_ns - origin_ns) * seconds_per_ns);
    trace.power_w.push_back(sample.power_w);
    trace.sm_clock_hz.push_back(sample.sm_clock_hz.value_or(not_measured));
    trace.memory_clock_hz.push_back(sample.memory_clock_hz.value_or(not_measured));
    trace.temperature_c.push_back(sample.temperature_c.value_or(not_measured));
  }
  for (const PowerPhase& phase : session.power_phases) {
    if (phase.device == device) {
      trace.phases.push_back(phase_trace(phase, origin_ns));
    }
  }
  return trace;
}

void fill_variant(VariantAnalysis& variant, const PowerPhase& phase,
                  const std::optional<AttentionShape>& shape) {
  const std::optional<double> power_w = counted_power_w(phase);
  variant.power_w = power_w ? power_w : phase.power_mean_w;
  variant.sustained_s = duration_s(phase) / static_cast<double>(phase.runs);
  if (!power_w || *power_w <= 0) {
    return;
  }
  variant.energy_j = *power_w * *variant.sustained_s;
  if (!(*variant.energy_j > 0)) {
    variant.energy_j.reset();
    return;
  }
  if (variant.analytic_flop) {
    variant.flop_per_j = *variant.analytic_flop / *variant.energy_j;
  }
  if (shape) {
    variant.tokens_per_j = static_cast<double>(shape->batch) *
                           static_cast<double>(shape->seqlen_q) / *variant.energy_j;
  }
}

}  // namespace

void fill_power(Analysis& analysis, const Session& session) {
  std::map<std::uint32_t, std::vector<PowerSample>> by_device;
  for (const PowerSample& sample : session.power) {
    by_device[sample.device].push_back(sample);
  }
  for (auto& [device, samples] : by_device) {
    analysis.power.push_back(device_trace(device, std::move(samples), session));
  }
  for (const PowerPhase& phase : session.power_phases) {
    for (VariantAnalysis& variant : analysis.variants) {
      if (variant.name == phase.variant && phase.runs > 0 && phase.end_ns > phase.start_ns) {
        fill_variant(variant, phase, analysis.attention);
      }
    }
  }
}

}  // namespace ridgepoint
