#include "collector/nvml/power_log.h"

#include <algorithm>
#include <cmath>

#include "analyzer/session/clock_reasons.h"

namespace ridgepoint::collector {
namespace {

constexpr double seconds_per_ns = 1e-9;

void raise(std::optional<double>& highest, double value) {
  highest = std::max(highest.value_or(value), value);
}

}  // namespace

void PowerLog::begin_phase(const std::string& name, const std::string& variant,
                           std::int64_t time_ns) {
  if (open_) {
    end_phase(time_ns, 0);
  }
  open_.emplace();
  open_->phase.name = name;
  open_->phase.variant = variant;
  open_->phase.start_ns = time_ns;
}

void PowerLog::end_phase(std::int64_t time_ns, std::int64_t runs) {
  if (!open_) {
    return;
  }
  PowerPhase& phase = open_->phase;
  phase.end_ns = std::max(time_ns, phase.start_ns);
  phase.runs = runs;
  if (open_->power_samples > 0) {
    phase.power_mean_w = open_->power_sum_w / static_cast<double>(open_->power_samples);
  }
  if (phase.busy_samples > 0) {
    phase.sm_clock_mean_hz = open_->clock_sum_hz / static_cast<double>(phase.busy_samples);
  }
  phases_.push_back(phase);
  open_.reset();
}

// The total moves in steps, some 10 to 100 ms apart: only from one step to another are energy and
// time those of the same stretch.
void PowerLog::add_energy(const PowerSample& sample) {
  PowerPhase& phase = open_->phase;
  const bool changed =
      open_->last_energy_j && sample.energy_j && *sample.energy_j != *open_->last_energy_j;
  if (changed && phase.energy_updates++ == 0) {
    open_->first_change_j = *sample.energy_j;
    open_->first_change_ns = sample.time_ns;
  } else if (changed) {
    phase.energy_j = *sample.energy_j - open_->first_change_j;
    phase.energy_s = static_cast<double>(sample.time_ns - open_->first_change_ns) * seconds_per_ns;
  }
  if (sample.energy_j) {
    open_->last_energy_j = sample.energy_j;
  }
}

void PowerLog::add_to_phase(const PowerSample& sample) {
  PowerPhase& phase = open_->phase;
  ++phase.samples;
  add_energy(sample);
  if (std::isfinite(sample.power_w)) {
    open_->power_sum_w += sample.power_w;
    ++open_->power_samples;
    raise(phase.power_max_w, sample.power_w);
  }
  if (sample.temperature_c) {
    raise(phase.temperature_max_c, *sample.temperature_c);
  }
  const std::int64_t reasons = sample.clock_reasons.value_or(0);
  phase.clock_reasons |= reasons;
  phase.power_capped_samples += (reasons & clock_reason_power_cap) != 0 ? 1 : 0;
  phase.slowed_samples += (reasons & clock_reasons_slowed) != 0 ? 1 : 0;
  if (sample.sm_clock_hz && (reasons & clock_reason_idle) == 0) {
    const double clock = *sample.sm_clock_hz;
    ++phase.busy_samples;
    open_->clock_sum_hz += clock;
    phase.sm_clock_min_hz = std::min(phase.sm_clock_min_hz.value_or(clock), clock);
    raise(phase.sm_clock_max_hz, clock);
  }
}

void PowerLog::add(const PowerSample& sample) {
  if (open_) {
    add_to_phase(sample);
  }
  if (seen_++ % keep_every_ != 0) {
    return;
  }
  if (samples_.size() >= most_samples_) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < samples_.size(); i += 2) {
      samples_[kept++] = samples_[i];
    }
    samples_.resize(kept);
    keep_every_ *= 2;
  }
  samples_.push_back(sample);
}

}  // namespace ridgepoint::collector
