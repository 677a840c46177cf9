// The passes of a replay, and the counters they give.
#include "collector/replay/kernel_replay.h"

namespace ridgepoint::collector {
namespace {

// The program's launches wait as long, too.
constexpr std::chrono::milliseconds prepare_patience{2};

// Kernels of ours and the counted one, per launch of the batch: KernelReplay::bring_caches().
std::size_t most_ranges_per_launch(CacheControl cache) {
  return cache == CacheControl::flush ? 3 : 4;
}

}  // namespace

// The profiler stays enabled from batch to batch, always with the same counters: given others,
// CUPTI goes on with the number of passes of the first (13.0).
Status KernelReplay::open_counters(const CounterSet& set) {
  if (among_passes_) {
    static_cast<void>(close_counters());
  }
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
  if (!image_is_empty_) {
    if (Status begun =
            profiler_->begin(options_.most_launches * most_ranges_per_launch(options_.cache));
        !begun) {
      return begun;
    }
  }
  image_is_empty_ = true;
  return {};
}

// `work` once a pass. After less than all of them the profiler must be opened anew: CUPTI goes on
// counting passes where it was left, whatever it is told about a new beginning (13.0).
Status KernelReplay::take_passes(const CounterSet& set, const std::function<Status()>& work) {
  if (Status opened = open_counters(set); !opened) {
    return opened;
  }
  image_is_empty_ = false;
  among_passes_ = true;
  bool complete = false;
  for (std::size_t pass = 0; pass < set.choice.plan.passes && !complete; ++pass) {
    if (Status started = profiler_->start(); !started) {
      return started;
    }
    const Status worked = work();
    // Stopped in any case: a started profiler would count the program's next launches.
    const Result<bool> stopped = profiler_->stop();
    if (!worked) {
      return worked;
    }
    if (!stopped) {
      return tl::make_unexpected(stopped.error());
    }
    complete = *stopped;
  }
  among_passes_ = !complete;
  return {};
}

void KernelReplay::prepare(const CounterSet& set) {
  CUresult code = CUDA_SUCCESS;
  // CUPTI waits for the context, and so must not while a kernel there waits for a launch.
  if (prepared_ || profiler_ || batch_.empty() || stuck_ ||
      wait_for_context(*driver_, context_, stream_.event, prepare_patience, code) !=
          Waited::finished) {
    return;
  }
  prepared_ = true;
  // It is the first pass that takes long, whatever runs in it.
  if (!take_passes(set, [] { return Status(); }) || !profiler_->finish({}) || !open_counters(set)) {
    static_cast<void>(close_counters());
  }
}

Result<RangeValues> KernelReplay::count_ranges(const CounterSet& set) {
  if (Status taken = take_passes(set, [&] { return run_batch_once(); }); !taken) {
    return tl::make_unexpected(taken.error());
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
