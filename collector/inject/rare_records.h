// CUPTI's records of what a program may never do: copies, fills, CUDA graphs.
//
// As long as CUPTI is to record any of them, every launch of a kernel pays, whether or not it is
// recorded itself: 6 to 10 % of an empty one (docs/profile-measured.md, "What a timeline costs").
// So they are on only while there is something to record.
//
//     copies:  on ── nothing but launches for long ──> off ── a copy is about to be made ──> on
//     graphs:  off ── the first graph is about to be made ──> on
//
// Copies go off once at most, and only for a program that has given up making any: records that are
// switched on in a context that has begun leave its launches slower than those that were on all the
// time. A copy whose call begins while records are off gets its record all the same, also
// the first one. Graphs are not like that: switched on for a graph that is there already, CUPTI
// 13.0 crashes at its launch.
#pragma once

#include <atomic>
#include <mutex>

namespace ridgepoint::collector {

struct CuptiApi;
class GridNumbers;

class RareRecords {
 public:
  // start_activity() has switched records of copies on. `numbers` hear of all that is rare.
  explicit RareRecords(const CuptiApi& api, GridNumbers* numbers = nullptr)
      : api_(&api), numbers_(numbers) {}

  // Around each call that copies or fills, on its thread.
  void before_copy();
  void after_copy() { --copying_; }
  // Before each call that makes a graph or begins a capture.
  void before_graph();
  // After every block of launches of which none is recorded (launch_pace.h).
  void only_launches();
  // 4,096 launches: a model that generates text copies after each token, of some hundred.
  static constexpr int blocks_without_copy = 16;
  // CUPTI has refused to record copies again: some are missing.
  bool refused() const { return refused_; }

 private:
  const CuptiApi* const api_;
  GridNumbers* const numbers_;
  std::mutex mutex_;  // held while anything is switched
  std::atomic<bool> copies_on_{true};
  std::atomic<int> copying_{0};  // calls that have begun and not ended, of all threads
  std::atomic<int> blocks_{0};   // without a copy
  std::atomic<bool> were_off_{false};
  std::atomic<bool> graphs_on_{false};
  std::atomic<bool> refused_{false};
};

}  // namespace ridgepoint::collector
