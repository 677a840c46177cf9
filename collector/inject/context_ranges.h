// Hardware counters of NVTX ranges as a whole, in one pass, in one CUDA context. Kernels inside a
// range run as the program makes them, side by side where they did.
//
// Life cycle: create() -> for each range open() and shut(), one at a time -> read() when nobody has
// for a while -> close() while the context exists. The profiler stays started from range to range:
// starting, stopping and reading cost 49 ms (H200).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analyzer/core/error.h"
#include "collector/cupti/range_profiler.h"
#include "collector/inject/context_counters.h"
#include "collector/inject/recorder.h"

namespace ridgepoint::collector {

class ContextRanges {
 public:
  // `set` and `recorder` must outlive it; `set` takes one pass.
  static Result<ContextRanges> create(const CuptiApi& api, CUctx_st* context, const CounterSet& set,
                                      Recorder& recorder);

  // The recorder gets the counters under this number.
  Status open(std::uint32_t correlation);
  Status shut();
  bool is_open() const { return open_; }
  std::uint32_t newest() const { return batch_.back(); }  // of those opened
  Status read();
  // Ranges wait for being read since then; empty when none does.
  std::optional<std::chrono::steady_clock::time_point> unread_since() const;
  Status close();
  bool missed_patching() const { return missed_patching_; }

 private:
  ContextRanges(RangeProfiler profiler, const CounterSet& set, Recorder& recorder)
      : profiler_(std::make_unique<RangeProfiler>(std::move(profiler))),
        set_(&set),
        recorder_(&recorder) {}
  Status start();
  Status lose(Error error);

  std::unique_ptr<RangeProfiler> profiler_;
  const CounterSet* set_;
  Recorder* recorder_;
  bool begun_ = false;
  bool started_ = false;
  bool open_ = false;
  bool missed_patching_ = false;
  std::vector<std::uint32_t> batch_;  // correlations, in order
  std::chrono::steady_clock::time_point unread_since_;
};

}  // namespace ridgepoint::collector
