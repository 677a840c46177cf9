// The phases of an attention measurement, one file each. Every phase leaves the device idle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"
#include "collector/attention/bench.h"
#include "collector/attention/measure.h"
#include "collector/cupti/kernel_records.h"
#include "collector/cupti/pc_sampler.h"
#include "collector/cupti/range_profiler.h"
#include "collector/nvml/power_monitor.h"

namespace ridgepoint::collector {

// One entry a variant of the bench, in its order.
Result<std::vector<Correctness>> check_correctness(const AttentionBench& bench, std::uint64_t seed,
                                                   std::vector<Issue>& issues,
                                                   const ProgressSink& progress);

// Samples every variant often enough for some 10^5 samples.
struct SamplingPlan {
  std::uint32_t period_log2 = 0;
  int repeats = 0;
};
SamplingPlan plan_sampling(double flop, const DeviceInfo& device);
Result<PcSamples> sample_stalls(const AttentionBench& bench, PcSampler& sampler, int repeats,
                                const ProgressSink& progress);

Status warm_up(const AttentionBench& bench, int runs);

// Seconds of every repeat, on a warm device. The variants take turns, round by round, so that a
// drift of the clock or the temperature meets all of them alike.
Result<std::vector<std::vector<double>>> measure_latency(const AttentionBench& bench, int repeats,
                                                         const ProgressSink& progress);

// Each variant alone, back to back for about `seconds`, one phase of the monitor each: the energy
// counter moves too slowly for single runs, and where variants take turns it cannot tell them
// apart. `latency_s` says how long a run takes.
Status spend_energy(const AttentionBench& bench, const std::vector<double>& latency_s,
                    double seconds, PowerMonitor& monitor, const ProgressSink& progress);

// One run of a variant as the driver recorded it.
struct VariantTimeline {
  std::vector<KernelRecord> launches;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
};
Result<std::vector<VariantTimeline>> record_timeline(const CuptiApi& api,
                                                     const AttentionBench& bench);

// The counters of every launch of one run of the variant; fails unless there are `launches` ranges.
Result<RangeValues> measure_counters(const AttentionBench& bench, const MeasuredVariant& variant,
                                     RangeProfiler& profiler, std::size_t launches,
                                     std::size_t passes, const ProgressSink& progress);

// Hardware counters over the time of one run of each variant: HBM, L2, tensor pipe and SM activity
// (data/pm-sampling), every `interval_ns`.
struct PmSamplingPlan {
  std::string chip;
  int device = 0;
  std::int64_t interval_ns = 0;
  std::vector<double> latency_s;  // typical, of each variant
};
Result<std::vector<PmSeries>> sample_over_time(const AttentionBench& bench, const CuptiApi& api,
                                               const PmSamplingPlan& plan,
                                               const ProgressSink& progress);

// Calls the sink when there is one.
void report(const ProgressSink& progress, const char* phase, const std::string& text,
            std::int64_t done = 0, std::int64_t total = 0);

}  // namespace ridgepoint::collector
