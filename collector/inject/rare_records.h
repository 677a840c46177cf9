// CUPTI's records of what a program may never do: copies, fills, CUDA graphs.
//
// As long as CUPTI is to record any of them, every launch of a kernel pays, whether or not it is
// recorded itself: 6 to 10 % of an empty one (docs/profile.md, "What a timeline costs"). So they
// are on only while there is something to record.
//
//     copies:  on ── only launches for a while ──> off ── a copy is about to be made ──> on
//     graphs:  off ── the first graph is about to be made ──> on, to the end
//
// A copy whose call begins while records are off gets its record all the same, also the first one.
// Graphs are not like that: switched on for a graph that is there already, CUPTI 13.0 crashes at
// its launch.
#pragma once

#include <atomic>
#include <mutex>

namespace ridgepoint::collector {

struct CuptiApi;

class RareRecords {
 public:
  // start_activity() has switched records of copies on.
  explicit RareRecords(const CuptiApi& api) : api_(&api) {}

  // Around each call that copies or fills, on its thread.
  void before_copy();
  void after_copy() { --copying_; }
  // Before each call that makes a graph or begins a capture.
  void before_graph();
  // Now and then, while launches come fast and none is recorded: no copy since the last time means
  // that none is expected.
  void only_launches();
  // CUPTI has refused to record copies again: some are missing.
  bool refused() const { return refused_; }

 private:
  const CuptiApi* const api_;
  std::mutex mutex_;  // held while anything is switched
  std::atomic<bool> copies_on_{true};
  std::atomic<int> copying_{0};     // calls that have begun and not ended, of all threads
  std::atomic<bool> copied_{true};  // since the last look
  std::atomic<bool> graphs_on_{false};
  std::atomic<bool> refused_{false};
};

}  // namespace ridgepoint::collector
