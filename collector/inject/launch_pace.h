// Which launches of a timeline get a record of CUPTI's, with the times the GPU took.
//
// A record costs the launching thread one to two microseconds (docs/profile.md), which a program
// feels that does little but launch. So every launch is recorded until they come faster than
// fast_launch_ns apart for a while; from then on `window` launches once more when there is a kernel
// that has no time yet, until the program slows down again. Not now and then: records that are
// switched on in a context that has begun leave its launches 12 to 27 % slower when they are off
// again, also when they were on at first; those that were on before it and then off do not (H200,
// CUDA 13.0). A program that launches ahead of a GPU that is busy feels nothing of records, and
// keeps them all.
//
// Records are switched only while no other thread is inside a launch, so that for each launch it is
// known whether its record will come.
//
//     every ── fast ──> window ── enough ──> listed ── a new kernel ──> window
//       ^                                     │ slow
//       └─────────────────────────────────────┘
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_set>

#include "collector/inject/launch_callback.h"

namespace ridgepoint::collector {

class LaunchPace {
 public:
  // A loop that does nothing but launch takes 3.3 to 4.5 us a launch beside an H200, 4.4 to 6.9 us
  // while it is recorded: a fifth and more. Fast means faster than this on the average of a block,
  // in two blocks in a row while the GPU keeps up, else in more than the driver queues (1024).
  static constexpr std::int64_t fast_launch_ns = 8000;
  static constexpr int fast_blocks = 2;
  static constexpr int fast_blocks_ahead = 8;
  // One slow block is a pause between bursts, and those after it a processor that others use for a
  // moment, unless they go on for so long: records switched on again cost every later launch.
  static constexpr std::int64_t slow_for_ns = 50'000'000;
  static constexpr std::uint64_t block = 256;
  static constexpr std::uint64_t window = 64;
  // At least this long between switches: kernels that are new come together.
  static constexpr std::int64_t between_windows_ns = 25'000'000;
  // Launches that are listed pass without a look at the clock, but for one of so many.
  static constexpr std::uint64_t look_every = 16;

  struct Hooks {
    // Switches records on and off, and says whether that worked; they are on at first. No launch is
    // in hand then.
    std::function<bool(bool on)> record;
    // No launch is under way that did not enter() here, nor will one be before record(false).
    std::function<bool()> quiet = [] { return true; };
    // Whether the GPU has done what was launched before.
    std::function<bool(const HeardLaunch&)> keeps_up;
    // After every block of launches of which none was recorded; `settled`: no window waits.
    std::function<void(bool settled)> listed = [](bool) {};
    // The first of blocks that are fast, while every launch is recorded.
    std::function<void()> comes_fast = [] {};
    // Records, which are on, will soon be switched off.
    std::function<void()> last_records = [] {};
  };
  // `clock_ns` must not go back.
  LaunchPace(Hooks hooks, std::int64_t (*clock_ns)());

  // Before a launch; left() follows on the same thread. True: it is recorded.
  bool enter(const HeardLaunch& call);
  // The same, of a launch that nobody would tell of if it had a record, and whose kernel has come
  // before; and of `repeats` that it has been listed without a word here since. True: it is listed.
  // False: nothing has begun; enter() is wanted.
  bool enter_listed(const HeardLaunch& call, std::uint32_t repeats);
  void left() { --calls_; }

 private:
  enum class State { every, window, listed };
  bool is_new(const void* kernel) const;
  bool enter_with_care(const HeardLaunch& call, std::uint64_t number);
  void see(const void* kernel);
  void look_at_block(std::int64_t now_ns, const HeardLaunch& call);
  bool is_fast(const HeardLaunch& call) const;
  bool window_is_due(std::int64_t now_ns) const;
  void begin_window(std::int64_t now_ns);
  bool switch_records(bool on);

  const Hooks hooks_;
  std::int64_t (*const clock_ns_)();
  // Launches of all times in the upper half, those that have not returned in the lower: one atomic
  // operation counts both.
  std::atomic<std::uint64_t> calls_{0};
  // Records are off in `listed` alone. Changed with the mutex held; in `window` every launch takes
  // it.
  std::atomic<State> state_{State::every};
  // Kernels that have been seen, each in a place that its address gives.
  std::array<std::atomic<const void*>, 256> seen_{};
  std::mutex mutex_;            // guards the members below
  bool refused_ = false;        // records cannot be switched: every launch is recorded
  std::uint64_t recorded_ = 0;  // in this window
  std::int64_t window_start_ns_ = 0;
  bool new_kernel_ = false;  // came while nothing was recorded
  std::int64_t block_start_ns_ = 0;
  int fast_in_a_row_ = 0;  // blocks
  // When the first slow block of those in a row had ended; none was slow just now.
  std::optional<std::int64_t> slow_since_ns_;
  std::unordered_set<const void*> known_;
};

}  // namespace ridgepoint::collector
