// Launches that were made while CUPTI kept no records (launch_pace.h): what their call says,
// without the times the GPU took.
//
// begin() and made() run in every such launch of a program that does little else. So a launch is a
// few numbers in a queue of its thread, its shape the number of one that was seen before, and the
// rest is left to hand_on(), which the writer's thread calls.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/inject/launch_callback.h"
#include "collector/inject/one_sided_fence.h"
#include "collector/inject/recorder.h"
#include "collector/inject/repeated_launches.h"
#include "collector/inject/row_queue.h"
#include "collector/inject/thread_places.h"
#include "collector/inject/tick_clock.h"

namespace ridgepoint::collector {

class UntimedLaunches {
 public:
  UntimedLaunches(const CuptiApi& api, std::int64_t (*wall_clock_ns)());
  ~UntimedLaunches();  // after the threads that launched, but for the one that calls it
  UntimedLaunches(const UntimedLaunches&) = delete;
  UntimedLaunches& operator=(const UntimedLaunches&) = delete;

  struct Thread;  // what a launching thread has of its own
  // Before a launch; after it made(), on the same thread, or there was none.
  Thread& begin(const HeardLaunch& call, std::int64_t range);
  static void made(Thread& thread);

  // The same of a launch that says what an earlier one of this thread has said, in the stretch that
  // it is before the launch and until repeat_ends(). Null: nothing has begun. Stands in for a
  // callback: those of the launch itself are not to be looked at.
  static Thread* repeat(const PlainLaunch& launch, const Stretch& stretch);
  static void repeat_ends(Thread& thread, bool made);
  static bool repeats_here();  // on the calling thread
  // Whether any thread is between repeat() and repeat_ends(). Where the stretch has changed before,
  // none that is not among those begins.
  bool any_repeats() const;
  // The launch that begin() was called for may be repeated.
  static void may_repeat(Thread& thread, const PlainLaunch& launch, Stretch::Word stretch);
  // Of this thread since the last call.
  std::uint32_t take_repeats();
  // In a row, without a begin().
  static constexpr std::uint32_t most_repeats = 255;

  // To the recorder; `must`: also those whose kernel no record has described so far.
  void hand_on(Recorder& recorder, bool must);
  std::uint64_t count() const;

 private:
  struct Row {
    std::uint64_t ticks = 0;
    std::int32_t range = no_index;
    std::uint32_t shape = 0;
  };
  // What launches have in common.
  struct Shape {
    const CUctx_st* context = nullptr;
    LaunchStream handle;
    KernelRecord launch;  // with its name
    std::uint32_t ordinal = 0;
  };
  struct HeldRow {
    Row row;
    std::int64_t time_ns = 0;
  };
  struct Own {
    std::uint64_t of;  // an id; of none: 0
    Thread* thread;
  };
  struct AtThreadEnd {
    ~AtThreadEnd();
  };
  // What a thread finds its own by: plain data, since a program may launch while its threads end.
  static inline thread_local constinit Own own = {0, nullptr};
  static inline constinit ThreadPlaces<Thread*> places = {};  // the same, sooner found
  static void set_own(Own mine);
  Thread& add_thread();
  std::uint32_t shape_of(Thread& thread, const HeardLaunch& call);
  const Shape& add_shape(Shape shape, std::uint64_t hash, std::uint32_t& number);

  const OneSidedFence fence_;  // between `repeating` of a thread and the stretch
  const std::uint64_t id_;     // not the address, which another one may get
  const CuptiApi* api_;
  mutable std::mutex mutex_;  // guards the three below; the shapes themselves never change
  std::vector<std::unique_ptr<Thread>> threads_;
  std::uint64_t of_ended_threads_ = 0;
  std::deque<Shape> shapes_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_;  // by hash_of()

  std::mutex handing_on_;  // guards the two below
  TickClock clock_;
  std::vector<HeldRow> held_back_;  // their kernel is not known yet
};

// The first line is what a repeated launch needs beside its entry: each line that it looks at has
// gone from the processor's caches by the next launch.
struct UntimedLaunches::Thread {
  alignas(64) std::atomic<bool> repeating{false};
  bool fence_is_one_sided = false;
  std::atomic<bool> ended{false};
  RowQueue<Row> rows;
  RepeatedLaunches known;
  std::uint64_t not_repeated = 0;  // of rows.pushed(), and those that take_repeats() has told of
  KernelRecord shape;              // of the launch in hand
  // Shapes by a few bits of what makes them up: programs repeat what they launch.
  std::array<const Shape*, 16> seen{};
  std::array<std::uint32_t, 16> numbers{};
};

// Of this every instruction shows: it runs a hundred of its own beside the driver's ten thousand
// (bench/profile_programs/stepped_launch.cu counts them).
[[gnu::always_inline]] inline UntimedLaunches::Thread* UntimedLaunches::repeat(
    const PlainLaunch& launch, const Stretch& stretch) {
  Thread* const* mine = places.find();
  if (mine == nullptr) {
    return nullptr;
  }
  Thread& thread = **mine;
  const Stretch::Word now = stretch.now();
  const std::uint32_t* number = thread.known.find(launch, now);
  if (number == nullptr || !thread.rows.is_at_hand() ||
      thread.repeating.load(std::memory_order_relaxed)) {
    return nullptr;
  }
  // In this order: who ends the stretch says so first and looks then.
  thread.repeating.store(true, std::memory_order_relaxed);
  OneSidedFence::often(thread.fence_is_one_sided);
  if (stretch.now_relaxed() != now) {
    thread.repeating.store(false, std::memory_order_release);
    return nullptr;
  }
  Row& row = thread.rows.next_at_hand();
  row.shape = *number;
  row.range = no_index;
  row.ticks = TickClock::steady_ticks();
  return &thread;
}

[[gnu::always_inline]] inline void UntimedLaunches::repeat_ends(Thread& thread, bool made) {
  if (made) {
    thread.rows.push();
  }
  thread.repeating.store(false, std::memory_order_release);
}

}  // namespace ridgepoint::collector
