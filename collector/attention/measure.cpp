#include "collector/attention/measure.h"

#include <fmt/format.h>

#include <utility>

#include "collector/attention/measurement.h"

namespace ridgepoint::collector {

void report(const ProgressSink& progress, const char* phase, const std::string& text,
            std::int64_t done, std::int64_t total) {
  if (progress) {
    progress({phase, text, done, total});
  }
}

Result<AttentionOutcome> AttentionMeasurement::run() {
  for (Status (AttentionMeasurement::*phase)() :
       {&AttentionMeasurement::open_device, &AttentionMeasurement::open_profiling,
        &AttentionMeasurement::open_bench, &AttentionMeasurement::correctness,
        &AttentionMeasurement::stalls, &AttentionMeasurement::latency,
        &AttentionMeasurement::energy, &AttentionMeasurement::timeline,
        &AttentionMeasurement::over_time, &AttentionMeasurement::counters}) {
    if (Status done = (this->*phase)(); !done) {
      return tl::make_unexpected(done.error());
    }
  }
  report(progress_, "writing", options_.output.string());
  Result<Session> session = journal_->seal();
  if (!session) {
    return tl::make_unexpected(session.error());
  }
  return AttentionOutcome{std::move(*session), missing_.errors()};
}

Policy AttentionMeasurement::policy() const {
  Policy policy;
  policy.counter_profile = options_.counter_profile;
  policy.replay_mode = counted_ ? "user" : "none";
  if (counted_) {
    policy.passes = static_cast<std::int64_t>(counter_tools_->plan.passes);
    policy.cache_control = fmt::format(
        "before each counter pass L2 was filled with clean lines of another buffer (by reading "
        "{} bytes); between the kernels of one variant it was left as it was",
        bench_->eviction_bytes());
  }
  policy.clock_control = "none";
  policy.warmup_runs = options_.warmup_runs;
  policy.latency_repeats = options_.latency_repeats;
  if (watched_) {
    policy.power_sampling_period_s = std::chrono::duration<double>(power_period).count();
  }
  policy.pc_sampling_period_cycles = samples_.records.empty() ? 0 : samples_.period_cycles;
  return policy;
}

Status AttentionMeasurement::append(Session part) {
  part.policy = policy();
  part.attention = workload_;
  for (Issue& issue : missing_.take_issues()) {
    part.issues.push_back(std::move(issue));
  }
  return journal_->append(part);
}

Result<AttentionOutcome> measure_attention(const AttentionRunOptions& options,
                                           const ProgressSink& progress) {
  return AttentionMeasurement(options, progress).run();
}

}  // namespace ridgepoint::collector
