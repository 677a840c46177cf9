// The passes of a replay, and the counters they give.
#include "collector/replay/kernel_replay.h"

namespace ridgepoint::collector {
namespace {

// Kernels of ours and the counted one, per launch of the batch: KernelReplay::bring_caches().
std::size_t most_ranges_per_launch(CacheControl cache) {
  return cache == CacheControl::flush ? 3 : 4;
}

}  // namespace

// The profiler stays enabled from batch to batch, always with the same counters: given others,
// CUPTI goes on with the number of passes of the first (13.0).
Result<RangeValues> KernelReplay::count_ranges(const CounterSet& set) {
  if (!profiler_) {
    Result<RangeProfiler> enabled =
        RangeProfiler::enable(*api_, context_, set.choice.host, set.choice.plan, Replay::user);
    if (!enabled) {
      return tl::make_unexpected(enabled.error());
    }
    profiler_.emplace(std::move(*enabled));
  }
  // Room for a full batch, whatever this one holds: given more room later, CUPTI keeps that of the
  // first and leaves out what is beyond without a word (H200, CUDA 13.0).
  if (Status begun =
          profiler_->begin(options_.most_launches * most_ranges_per_launch(options_.cache));
      !begun) {
    return tl::make_unexpected(begun.error());
  }
  bool complete = false;
  for (std::size_t pass = 0; pass < set.choice.plan.passes && !complete; ++pass) {
    if (Status started = profiler_->start(); !started) {
      return tl::make_unexpected(started.error());
    }
    const Status ran = run_batch_once();
    // Stopped in any case: a started profiler would count the program's next launches.
    const Result<bool> stopped = profiler_->stop();
    if (!ran) {
      return tl::make_unexpected(ran.error());
    }
    if (!stopped) {
      return tl::make_unexpected(stopped.error());
    }
    complete = *stopped;
  }
  std::vector<std::size_t> ranges;
  for (const Waiting& waiting : batch_) {
    ranges.push_back(waiting.range);
  }
  return profiler_->finish(ranges);
}

std::optional<ReplayTrouble> KernelReplay::count(const CounterSet& set, Recorder& recorder) {
  Result<RangeValues> values = count_ranges(set);
  if (!values) {
    return ReplayTrouble{"counters.unavailable", values.error().what + ": " + values.error().why};
  }
  std::optional<ReplayTrouble> trouble;
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    std::vector<double>& row = (*values)[i];
    if (!keep_patched(set, row)) {
      trouble = ReplayTrouble{"counters.not_patched", not_patched_text};
    }
    recorder.counters(batch_[i].correlation, set.names, std::move(row));
  }
  batch_.clear();
  return trouble;
}

}  // namespace ridgepoint::collector
