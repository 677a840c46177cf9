// What an attention measurement measures, phase by phase.
#include <algorithm>
#include <chrono>
#include <utility>

#include "collector/attention/measurement.h"
#include "collector/cuda/device.h"
#include "collector/nvtx/scoped_range.h"

namespace ridgepoint::collector {
namespace {

// For each variant: an H200's energy counter moves every 100 ms, and ten steps are wanted.
constexpr double energy_seconds = 1.5;

}  // namespace

Status AttentionMeasurement::correctness() {
  const ScopedRange range("ridgepoint correctness");
  std::vector<Issue> issues;
  Result<std::vector<Correctness>> results =
      check_correctness(*bench_, options_.seed, issues, progress_);
  if (!results) {
    return tl::make_unexpected(results.error());
  }
  for (Issue& issue : issues) {
    missing_.note(std::move(issue));
  }
  for (std::size_t v = 0; v < results->size(); ++v) {
    workload_.variants[v].correctness = std::move((*results)[v]);
  }
  return append({});
}

Status AttentionMeasurement::stalls() {
  if (!sampler_) {
    return {};
  }
  const ScopedRange range("ridgepoint stalls");
  Result<PcSamples> samples = sample_stalls(*bench_, *sampler_, sampling_.repeats, progress_);
  if (samples) {
    samples_ = std::move(*samples);
  } else {
    missing_.add("stalls.unavailable", samples.error());
  }
  if (Status closed = sampler_->close(); !closed) {
    missing_.add("stalls.unavailable", closed.error());
  }
  sampler_.reset();
  // A launch that failed while sampled may have left the context unusable; then stop here.
  return bench_->synchronise("sampling the variants");
}

Status AttentionMeasurement::latency() {
  const ScopedRange range("ridgepoint latency");
  if (Status warm = warm_up(*bench_, options_.warmup_runs); !warm) {
    return warm;
  }
  watch_power();
  if (monitor_) {
    monitor_->begin("latency");
  }
  Result<std::vector<std::vector<double>>> latency_s =
      measure_latency(*bench_, options_.latency_repeats, progress_);
  if (!latency_s) {
    return tl::make_unexpected(latency_s.error());
  }
  if (monitor_) {
    monitor_->end();
  }
  for (std::size_t v = 0; v < latency_s->size(); ++v) {
    workload_.variants[v].latency_s = std::move((*latency_s)[v]);
  }
  return append({});
}

// Nothing else of the run needs NVML: without it there is one note, and no failure.
void AttentionMeasurement::watch_power() {
  if (!options_.power) {
    return;
  }
  PowerMonitorOptions watch;
  watch.period = power_period;
  watch.pci_bus_id = device_.pci_bus_id;
  Result<PowerMonitor> monitor = Nvml::open().and_then(
      [&](Nvml&& nvml) { return PowerMonitor::start(std::move(nvml), watch); });
  if (monitor) {
    monitor_.emplace(std::move(*monitor));
  } else {
    missing_.note({"power.unavailable", format_error(monitor.error())});
  }
}

std::vector<double> AttentionMeasurement::typical_latency_s() const {
  std::vector<double> typical_s;
  for (const VariantRun& run : workload_.variants) {
    std::vector<double> sorted = run.latency_s;
    std::sort(sorted.begin(), sorted.end());
    typical_s.push_back(sorted.at(sorted.size() / 2));
  }
  return typical_s;
}

Status AttentionMeasurement::energy() {
  if (!monitor_) {
    return {};
  }
  const ScopedRange range("ridgepoint energy");
  Status spent = spend_energy(*bench_, typical_latency_s(), energy_seconds, *monitor_, progress_);
  Session part;
  add_power(monitor_->stop(), device_.pci_bus_id, 0, part);
  monitor_.reset();
  watched_ = !part.power.empty();
  Status appended = append(std::move(part));
  return spent ? appended : spent;
}

Status AttentionMeasurement::timeline() {
  if (api_ == nullptr) {
    return {};
  }
  const ScopedRange range("ridgepoint timeline");
  Result<std::vector<VariantTimeline>> timelines = record_timeline(*api_, *bench_);
  if (!timelines) {
    missing_.add("timeline.unavailable", timelines.error());
    return {};
  }
  timelines_ = std::move(*timelines);
  return append(tables_.kernels_and_samples(chosen_, timelines_, samples_));
}

Status AttentionMeasurement::over_time() {
  if (options_.pm_interval_ns == 0 || api_ == nullptr) {
    return {};
  }
  const ScopedRange range("ridgepoint PM sampling");
  const PmSamplingPlan plan{device_.chip, options_.device, options_.pm_interval_ns,
                            typical_latency_s()};
  Result<std::vector<PmSeries>> series = sample_over_time(*bench_, *api_, plan, progress_);
  if (!series) {
    missing_.add("pm_sampling.unavailable", series.error());
    return bench_->synchronise("sampling the variants over time");
  }
  Session part;
  part.pm_series = std::move(*series);
  return append(std::move(part));
}

// Empty where counters are not wanted or cannot be had.
std::optional<RangeProfiler> AttentionMeasurement::open_profiler() {
  std::optional<RangeProfiler> profiler;
  if (counter_tools_ && !timelines_.empty()) {
    const Result<CUctx_st*> context = current_context();
    Result<RangeProfiler> enabled =
        context ? RangeProfiler::enable(*api_, *context, counter_tools_->host, counter_tools_->plan,
                                        Replay::user)
                : tl::make_unexpected(context.error());
    if (enabled) {
      profiler.emplace(std::move(*enabled));
    } else {
      missing_.add("counters.unavailable", enabled.error());
    }
  }
  return profiler;
}

Status AttentionMeasurement::counters() {
  const ScopedRange range("ridgepoint counters");
  std::optional<RangeProfiler> profiler = open_profiler();
  for (std::size_t v = 0; v < timelines_.size(); ++v) {
    RangeValues values;
    if (profiler) {
      Result<RangeValues> measured =
          measure_counters(*bench_, chosen_[v], *profiler, timelines_[v].launches.size(),
                           counter_tools_->plan.passes, progress_);
      if (measured) {
        values = std::move(*measured);
        counted_ = true;
      } else {
        missing_.add("counters.unavailable", measured.error());
        if (Status usable = bench_->synchronise("counting the variants"); !usable) {
          return usable;
        }
      }
    }
    const std::vector<std::string> none;
    Session part =
        tables_.launches(timelines_[v], v, counter_tools_ ? counter_tools_->plan.counters : none,
                         values, workload_.variants[v].launches);
    if (Status appended = append(std::move(part)); !appended) {
      return appended;
    }
  }
  if (profiler) {
    if (Status closed = profiler->close(); !closed) {
      missing_.add("counters.unavailable", closed.error());
    }
  }
  return append({});
}

}  // namespace ridgepoint::collector
