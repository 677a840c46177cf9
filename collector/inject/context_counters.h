// Hardware counters of chosen launches of one CUDA context.
//
// Life cycle: create() -> before a chosen launch enter(), after it leave() -> pause() before a
// launch that is not chosen, so that it runs at full speed -> close() while the context exists.
// The profiler stays started over many launches and is read a batch at a time: starting, stopping
// and reading cost tens of milliseconds, more than most kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analyzer/core/error.h"
#include "collector/cupti/counter_choice.h"
#include "collector/cupti/range_profiler.h"
#include "collector/inject/recorder.h"

namespace ridgepoint::collector {

// One set of counters, and how its passes are collected.
struct CounterSet {
  CounterChoice choice;
  CounterNames names;
  Replay replay() const { return choice.plan.passes == 1 ? Replay::user : Replay::kernel; }
};

struct CounterSets {
  CounterSet chosen;
  std::optional<CounterSet> one_pass;  // for kernels that must not be replayed
  // The set for a kernel; null when it may not be replayed and no set does without.
  const CounterSet* for_kernel(bool may_replay) const;
};

class ContextCounters {
 public:
  // `sets` and `recorder` must outlive it.
  static Result<ContextCounters> create(const CuptiApi& api, CUctx_st* context,
                                        const CounterSets& sets, Recorder& recorder);

  Status enter(const CounterSet& set);
  Status leave(std::uint32_t correlation, bool launched);
  Status pause();
  Status close();

 private:
  ContextCounters(RangeProfiler profiler, Recorder& recorder)
      : profiler_(std::make_unique<RangeProfiler>(std::move(profiler))), recorder_(&recorder) {}
  Status read_batch();
  Status lose_batch(Error error);

  std::unique_ptr<RangeProfiler> profiler_;
  Recorder* recorder_;
  const CounterSet* set_ = nullptr;  // of the image in use
  bool image_used_ = false;
  bool started_ = false;
  std::vector<std::uint32_t> batch_;  // correlations, in launch order
};

}  // namespace ridgepoint::collector
