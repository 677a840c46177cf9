// Launches that were made while CUPTI kept no records (launch_pace.h): what their call says,
// without the times the GPU took.
//
// begin() and made() run in every such launch of a program that does little else. So a launch is a
// few numbers in a queue of its thread, its shape the number of one that was seen before, and the
// rest is left to hand_on(), which the writer's thread calls.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/inject/launch_callback.h"
#include "collector/inject/recorder.h"
#include "collector/inject/row_queue.h"
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
  // To the recorder; `must`: also those whose kernel no record has described so far.
  void hand_on(Recorder& recorder, bool must);
  std::uint64_t count() const;

 private:
  struct Row {
    std::uint64_t ticks = 0;
    std::int64_t range = no_index;
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
    std::uint64_t of = 0;
    Thread* thread = nullptr;
  };
  struct AtThreadEnd {
    ~AtThreadEnd();
  };
  // What a thread finds its own by: plain data, since a program may launch while its threads end.
  static thread_local Own own;
  Thread& add_thread();
  std::uint32_t shape_of(Thread& thread, const HeardLaunch& call);
  const Shape& add_shape(Shape shape, std::uint32_t& number);

  const std::uint64_t id_;  // not the address, which another one may get
  const CuptiApi* api_;
  mutable std::mutex mutex_;  // guards the three below; the shapes themselves never change
  std::vector<std::unique_ptr<Thread>> threads_;
  std::uint64_t of_ended_threads_ = 0;
  std::deque<Shape> shapes_;
  std::unordered_multimap<std::string, std::uint32_t> numbers_;  // by name

  std::mutex handing_on_;  // guards the two below
  TickClock clock_;
  std::vector<HeldRow> held_back_;  // their kernel is not known yet
};

}  // namespace ridgepoint::collector
