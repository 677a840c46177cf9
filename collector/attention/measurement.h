// One attention measurement from start to end.
//
// Life cycle: run(), once. The order of its phases is CUPTI's wish: PC sampling has to be switched
// on before kernel code is loaded and off before the range profiler starts; latency is timed when
// neither is open. What cannot be measured is noted, and the rest goes on.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/session/journal.h"
#include "collector/attention/bench.h"
#include "collector/attention/phases.h"
#include "collector/attention/profiling_tools.h"
#include "collector/attention/session_parts.h"

namespace ridgepoint::collector {

inline constexpr std::chrono::milliseconds power_period{10};

class AttentionMeasurement {
 public:
  // Both must outlive it.
  AttentionMeasurement(const AttentionRunOptions& options, const ProgressSink& progress)
      : options_(options), progress_(progress) {
    workload_.shape = options.shape;
  }

  Result<AttentionOutcome> run();

 private:
  // Opening (measurement_opening.cpp): what is wrong with the request is found here.
  Status open_device();
  void take_stored_ceilings();
  Status open_profiling();
  Status open_counters();
  void open_sampler();
  Status open_bench();
  void describe_variants();

  // Measuring (measurement_phases.cpp).
  Status correctness();
  Status stalls();
  Status latency();
  void watch_power();
  std::vector<double> typical_latency_s() const;
  Status energy();
  Status timeline();
  Status over_time();
  Status counters();
  std::optional<RangeProfiler> open_profiler();

  Policy policy() const;
  // Every part brings the state of the single-valued sections and the issues since the last one.
  Status append(Session part);

  const AttentionRunOptions& options_;
  const ProgressSink& progress_;
  kernels::AttentionProblem problem_;
  DeviceInfo device_;
  std::vector<MeasuredVariant> chosen_;
  Missing missing_;
  const CuptiApi* api_ = nullptr;
  std::optional<CounterTools> counter_tools_;
  std::optional<AttentionBench> bench_;
  SamplingPlan sampling_;
  std::optional<PcSampler> sampler_;
  std::optional<PowerMonitor> monitor_;
  bool watched_ = false;
  std::optional<Journal> journal_;
  AttentionWorkload workload_;
  PcSamples samples_;
  std::vector<VariantTimeline> timelines_;
  SessionTables tables_;
  bool counted_ = false;
};

}  // namespace ridgepoint::collector
