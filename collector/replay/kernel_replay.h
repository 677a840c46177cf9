// Counters that need several passes, of single kernels, under our own control.
//
// Every chosen launch runs first as the program made it, unprofiled and where it stands. What is
// needed to run it again is kept: its arguments, and an image of device memory before it. A batch
// of launches is then counted together: for each pass the profiler is started once, and every
// launch of the batch gets its memory back, the caches their stated state, and runs again. At the
// end memory holds what it held before, so the program notices nothing.
//
// Why in this order. Starting and stopping the profiler takes 47 ms (H200, CUDA 13.0), a launch
// inside 1.1 ms: batches share the first. And a kernel that waits for something that the program
// does later is never in the way of it: it is found out when it has not ended in time.
//
// Life cycle: create() with the context current -> save() before a launch, made() after it -> run()
// when full(), or when the memory of a waiting launch is about to go -> close(). All calls come
// with the context current, and while no other thread launches into it, copies or captures.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "collector/cupti/range_profiler.h"
#include "collector/inject/context_counters.h"
#include "collector/inject/launch_callback.h"
#include "collector/profile/cache_control.h"
#include "collector/replay/cold_code.h"
#include "collector/replay/cold_l2.h"
#include "collector/replay/kernel_launch.h"
#include "collector/replay/memory_image.h"
#include "collector/replay/wait.h"

namespace ridgepoint::collector {

// 7 passes of 47 ms for starting and stopping become 10 ms a launch.
inline constexpr std::size_t launches_per_batch = 32;

struct ReplayOptions {
  CacheControl cache = CacheControl::flush;
  std::chrono::milliseconds timeout{10000};
  // In a batch; fewer when no more will come. CUPTI's image of the counters takes 2.3 MB a launch
  // and is made anew for each batch: 75 ms for 32, 18 ms for 10 (H200, 59 counters).
  std::size_t most_launches = launches_per_batch;
};

// What a session has to say: an issue.
struct ReplayTrouble {
  const char* code;
  std::string text;
};

class KernelReplay {
 public:
  static Result<std::unique_ptr<KernelReplay>> create(const DriverApi& driver, const CuptiApi& api,
                                                      CUctx_st* context, ReplayOptions options);
  KernelReplay(const KernelReplay&) = delete;
  KernelReplay& operator=(const KernelReplay&) = delete;

  // Keeps what the launch needs. Empty when that was possible; then made() must follow.
  // `variables`: names of the variables in the kernel's cubin.
  std::optional<ReplayTrouble> save(const LaunchCall& call, const MemoryMap& memory,
                                    const std::vector<std::string>& variables);
  void made(std::uint32_t correlation, bool launched);

  bool empty() const { return batch_.empty(); }
  bool full() const;
  // Whether all that the context was given has ended, or does within that. With it current.
  bool is_idle(std::chrono::milliseconds patience) const;
  std::chrono::steady_clock::time_point since() const { return since_; }
  // Opens the counters for the batch that waits, once and while the context is idle: the first time
  // in a process it takes a third of a second, for which the program need not wait. What goes wrong
  // now goes wrong again in run(), which tells.
  void prepare(const CounterSet& set);
  // Replays the batch for all passes of the set, and hands the counters to the recorder.
  std::vector<ReplayTrouble> run(const CounterSet& set, const MemoryMap& memory,
                                 Recorder& recorder);
  // The batch gets no counters.
  void drop(Recorder& recorder) { lose(recorder); }
  // Gives spare device memory back. With an empty batch.
  void release_memory();
  // Whether flush is done by invalidating L2; known once a launch was saved.
  bool invalidates_l2() const { return cold_l2_.invalidates(); }
  // Else, why not.
  const std::string& why_l2_is_filled() const { return cold_l2_.why_filled(); }
  bool holds_memory() const { return pool_.held_bytes() != 0; }
  // The counters are free for another profiler of this context afterwards.
  Status close_counters();
  void close();

 private:
  struct Waiting {
    std::uint32_t correlation = 0;
    std::string kernel;
    KernelLaunch launch;
    std::vector<MemoryRange> variables;
    std::shared_ptr<const MemoryImage> before;
    std::shared_ptr<const MemoryImage> changed;  // the part that the kernel changes; for warm
    std::size_t range = 0;                       // of its run in each pass
  };
  KernelReplay(const DriverApi& driver, const CuptiApi& api, CUctx_st* context,
               ReplayOptions options, const MemoryKernels& kernels, const WaitedStream& stream);

  std::optional<ReplayTrouble> check_pointers(const KernelLaunch& launch, const MemoryMap& memory,
                                              const std::vector<MemoryRange>& variables) const;
  std::vector<MemoryRange> find_variables(const KernelLaunch& launch,
                                          const std::vector<std::string>& names) const;
  std::vector<MemoryRange> memory_of_context(const MemoryMap& memory) const;
  Waited wait_for_program();
  void give_up_newest();
  std::string timeout_text() const;
  ReplayTrouble not_saved(const Error& error);
  bool own_work_ended();

  std::optional<ReplayTrouble> prove(Recorder& recorder);
  std::optional<ReplayTrouble> rescue(const Waiting& hung, Recorder& recorder);
  std::optional<ReplayTrouble> count(const CounterSet& set, Recorder& recorder);
  Status open_counters(const CounterSet& set);
  Status take_passes(const CounterSet& set, const std::function<Status()>& work);
  Result<RangeValues> count_ranges(const CounterSet& set);
  Status run_batch_once();
  Status wait_for_replay();
  Status bring_caches(const Waiting& waiting, std::size_t& launches);
  std::optional<ReplayTrouble> put_back();
  void lose(Recorder& recorder);

  const DriverApi* driver_;
  const CuptiApi* api_;
  CUctx_st* context_;
  ReplayOptions options_;
  MemoryKernels kernels_;
  std::optional<ColdCode> cold_code_;  // for flush
  WaitedStream stream_;
  ShadowPool pool_;
  ImageStore images_;
  ColdL2 cold_l2_;
  std::optional<RangeProfiler> profiler_;
  bool image_is_empty_ = false;  // the profiler's: made, and not yet used
  bool among_passes_ = false;    // some of a set of passes were taken
  bool prepared_ = false;

  std::optional<Waiting> saved_;  // between save() and made()
  std::vector<Waiting> batch_;
  std::shared_ptr<const MemoryImage> now_;  // while run() is at work
  std::set<CUfunction> proven_;             // have run again and ended
  std::set<CUfunction> waits_;              // have not
  bool stuck_ = false;                      // one of them still runs
  int waits_for_own_work_ = 0;              // in a row, in vain
  bool own_work_late_ = false;              // a copy of ours had not ended when it should have
  std::chrono::steady_clock::time_point since_;
};

}  // namespace ridgepoint::collector
