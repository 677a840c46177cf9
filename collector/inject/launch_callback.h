// CUPTI's callbacks around kernel launches, in terms of this project.
#pragma once

#include <cstdint>

#include "analyzer/core/error.h"
#include "collector/cupti/kernel_records.h"
#include "collector/inject/plain_launch.h"
#include "collector/replay/memory_calls.h"

struct CUctx_st;
struct CUfunc_st;
struct CUstream_st;

namespace ridgepoint::collector {

struct CuptiApi;

// What CUPTI says of a launch. Plain data: it is made for every launch, where each nanosecond
// shows.
struct HeardLaunch {
  std::uint32_t correlation = 0;
  CUctx_st* context = nullptr;
  std::uint32_t id = 0;              // CUPTI_DRIVER_TRACE_CBID_...
  const void* parameters = nullptr;  // its arguments; as long as the call lasts
  const char* symbol = nullptr;      // mangled; as long as the call lasts
  bool graph = false;                // a CUDA graph: many kernels, no shape of its own
};

struct LaunchCall : HeardLaunch {
  KernelRecord shape;  // name, grid, block, cluster, dynamic shared memory; empty of a graph
};
LaunchCall with_shape(const HeardLaunch& heard);

// Called on the launching thread, before the launch and after it.
class LaunchListener {
 public:
  virtual ~LaunchListener() = default;
  virtual void before_launch(const HeardLaunch& launch) = 0;
  virtual void after_launch(std::uint32_t correlation, bool launched) = 0;
  virtual void before_context_ends(CUctx_st* context) = 0;
  // Only when asked for: calls that matter when kernels are to run again, or to a timeline.
  virtual void before_memory_call(const MemoryCall& call, CUctx_st* context) = 0;
  virtual void after_memory_call(const MemoryCall& call, CUctx_st* context, bool succeeded) = 0;
  virtual void module_loaded(const void* cubin, std::size_t bytes) = 0;
  // Only when asked for: for samples of instructions.
  virtual void context_created(CUctx_st* context) = 0;
  virtual void module_unloads() = 0;
  // Only when asked for: before a call by which the program gets another way to launch or, with
  // `handles_end`, after which handles of kernels may be given again.
  virtual void ways_to_launch_change(bool handles_end) = 0;
};

struct Listening {
  bool memory_calls = false;    // and modules; stream captures among them
  bool rare_calls = false;      // of those, copies, stream captures and graphs that are made
  bool code = false;            // contexts that begin, modules that come and go
  bool ways_to_launch = false;  // and contexts that begin
};

// CUPTI has one subscriber a process: fails when another profiler is attached. The listener must
// live until stop_listening(), or until the process ends.
Status listen_to_launches(const CuptiApi& api, LaunchListener& listener, Listening to);
void stop_listening(const CuptiApi& api);
// The program's calls are no longer heard, and run as without us; contexts that end still are. May
// be called from within a callback, whose own call has no other then.
void stop_hearing_calls(const CuptiApi& api);
// The calls of is_plain_launch() alone. False when CUPTI refuses.
bool hear_plain_launches(const CuptiApi& api, bool on);
// The listener is the parent's: calls of this process are no longer passed on.
void hear_nothing_in_forked_child();
// CUPTI has ended, and the subscription with it.
void forget_subscription();

// Grid, block, cluster and shared memory of a launch; what its call does not say stays as it is.
void read_shape(std::uint32_t id, const void* parameters, KernelRecord& shape);

struct LaunchStream {
  CUstream_st* stream = nullptr;
  bool per_thread = false;   // null means the thread's own default stream
  std::uint64_t thread = 0;  // whose default stream it is, where each thread has its own
  bool operator==(const LaunchStream&) const = default;
};
LaunchStream stream_of_launch(std::uint32_t id, const void* parameters);

}  // namespace ridgepoint::collector
