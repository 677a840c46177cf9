// Hardware counters of chosen launches of one CUDA context, taken in one pass where they run.
//
// Life cycle: create() -> before a chosen launch enter(), after it leave() -> pause() before a
// launch that is not chosen, so that it runs at full speed -> close() while the context exists.
// The profiler stays started over many launches and is read a batch at a time: on an H200 starting,
// stopping and reading cost 49 ms, one launch counted in one pass 1.2 ms. So a few launches that
// are not chosen are cheaper counted and thrown away than avoided: see tolerates_another().
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analyzer/core/error.h"
#include "collector/cupti/counter_choice.h"
#include "collector/cupti/patched_counters.h"
#include "collector/cupti/range_profiler.h"
#include "collector/inject/recorder.h"

namespace ridgepoint::collector {

struct CounterSet {
  CounterChoice choice;
  CounterNames names;
  // For replays: `choice` has one counter more than `names`, patching_control.
  bool controlled() const { return choice.plan.counters.size() > names->size(); }
};

inline constexpr const char* not_patched_text =
    "CUPTI gave no counts of instructions by kind (smsp__sass_...) for some launches; they are not "
    "measured there.";

// Makes counters that CUPTI has not taken, by the control, not measured, and drops the control's
// value. False when there were such.
bool keep_patched(const CounterSet& set, std::vector<double>& values);

struct CounterSets {
  CounterSet chosen;
  std::size_t runs = 1;            // of the program, each with other counters
  std::optional<CounterSet> lite;  // when `chosen` takes several passes
  // The set that a kernel gets when it runs only once; null when there is none.
  const CounterSet* one_pass() const;
};

class ContextCounters {
 public:
  // `sets` and `recorder` must outlive it; `sets` has a one-pass set.
  static Result<ContextCounters> create(const CuptiApi& api, CUctx_st* context,
                                        const CounterSets& sets, Recorder& recorder);

  Status enter(const CounterSet& set);
  Status leave(std::uint32_t correlation, bool launched);
  // Instead of pause(), for a launch that was not chosen: it is counted like the others, and
  // leave_unchosen() follows.
  bool tolerates_another() const;
  Status leave_unchosen(bool launched);
  Status pause();
  // Some launches had no counts of instructions by kind.
  bool missed_patching() const { return missed_patching_; }
  // Launches wait for being read since then; empty when none does.
  std::optional<std::chrono::steady_clock::time_point> unread_since() const;
  Status close();

 private:
  ContextCounters(RangeProfiler profiler, Recorder& recorder)
      : profiler_(std::make_unique<RangeProfiler>(std::move(profiler))), recorder_(&recorder) {}
  Status add(std::optional<std::uint32_t> correlation);
  Status read_batch();
  Status lose_batch(Error error);

  std::unique_ptr<RangeProfiler> profiler_;
  Recorder* recorder_;
  const CounterSet* set_ = nullptr;  // of the image in use
  bool image_used_ = false;
  bool started_ = false;
  bool missed_patching_ = false;
  // Correlations in launch order; empty for launches that were not chosen.
  std::vector<std::optional<std::uint32_t>> batch_;
  std::size_t unchosen_in_a_row_ = 0;
  std::chrono::steady_clock::time_point unread_since_;
};

}  // namespace ridgepoint::collector
