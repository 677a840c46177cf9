// Which launches of a timeline get a record of CUPTI's, with the times the GPU took.
//
// A record costs the launching thread one to two microseconds (docs/profile.md), which a program
// feels that does little but launch. So every launch is recorded until they come faster than
// fast_launch_ns apart for a while; from then on `window` of every `cycle` launches, and the first
// ones of every kernel, until the program slows down again.
//
// Records are switched only while no other thread is inside a launch, so that for each launch it is
// known whether its record will come.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_set>

namespace ridgepoint::collector {

class LaunchPace {
 public:
  // A loop that does nothing but launch takes 3.5 to 4.5 us a launch beside an H200, 4.4 to 6.9 us
  // while it is recorded: a fifth and more. Fast means faster than this on the average of a block,
  // in two blocks in a row.
  static constexpr std::int64_t fast_launch_ns = 8000;
  static constexpr std::uint64_t block = 256;
  static constexpr std::uint64_t window = 64;
  static constexpr std::uint64_t cycle = 2048;

  // `record` switches records on and off, and says whether that worked; they are on at first.
  // `clock_ns` must not go back.
  LaunchPace(std::function<bool(bool on)> record, std::int64_t (*clock_ns)());

  // Before a launch; left() follows on the same thread. `kernel` tells kernels apart. True: it is
  // recorded.
  bool enter(const void* kernel);
  void left() { --inside_; }

 private:
  bool enter_sampled(const void* kernel, bool block_ends);
  void look_at_block();
  bool switch_records(bool on);

  const std::function<bool(bool on)> record_;
  std::int64_t (*const clock_ns_)();
  std::atomic<std::uint64_t> launches_{0};
  std::atomic<std::int64_t> inside_{
      0};  // launches that have been decided upon and have not returned
  std::atomic<bool> sampled_{false};
  std::mutex mutex_;  // guards the members below
  bool recording_ = true;
  bool refused_ = false;        // records cannot be switched: every launch is recorded
  std::uint64_t position_ = 0;  // in the cycle
  std::int64_t block_start_ns_ = 0;
  int fast_blocks_ = 0;
  const void* last_kernel_ = nullptr;
  std::unordered_set<const void*> known_;
};

}  // namespace ridgepoint::collector
