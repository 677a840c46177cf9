// Launches heard by functions of ours instead of CUPTI's callbacks.
//
// A callback costs an empty launch 5 to 8 %, which a program feels that launches as fast as it can
// (docs/profile-measured.md, "What a timeline costs"). So once such launches are only listed, the
// pointers by which loaded code reaches the driver's launch functions (object_words.h,
// import_table.h) are led to ours (launch_wrappers.h), and when every launch that a callback told
// of has come through one of them, the callbacks of these functions are switched off:
//
//     idle ── launches are only listed ──> watched ── enough proven, none new ──> alone
//       ^                                   │  ^                                   │
//       └── a launch came by another way ───┘  └── a kernel not known, code that ──┘
//                                                  comes or goes, slow launches
//
// Callbacks are on again before the launch, or the other call, that ends `alone` is made. So what
// is lost is a launch by a pointer that nobody used before: grid_numbers.h finds that as soon as
// there are records again, and give_up() follows. Pointers that stay led to ours when all is over
// do no harm, since our functions stay too.
//
// Callbacks are switched off only while no other launch is between its two: CUPTI would not tell of
// its end.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "collector/inject/import_table.h"
#include "collector/inject/known_launches.h"
#include "collector/inject/launch_callback.h"
#include "collector/inject/loaded_memory.h"
#include "collector/inject/object_words.h"
#include "collector/inject/plain_launch.h"
#include "collector/inject/stretch.h"
#include "collector/inject/untimed_launches.h"

namespace ridgepoint::collector {

// A call of one of our functions.
struct DetouredCall {
  std::uint32_t id = 0;              // CUPTI_DRIVER_TRACE_CBID_...
  const void* parameters = nullptr;  // launch_parameters.h
  const CUfunc_st* function = nullptr;
  const CUstream_st* stream = nullptr;
};

class LaunchDetour {
 public:
  struct Hooks {
    // Callbacks of the functions that are led to ours, on and off; whether that worked.
    std::function<bool(bool on)> hear;
    // Lists a launch, until listed() on the same thread; null: callbacks are wanted for it. What
    // its call says holds in this stretch.
    std::function<UntimedLaunches::Thread*(const HeardLaunch&, Stretch::Word)> list;
    std::function<void(UntimedLaunches::Thread&, bool launched)> listed;
    std::function<void()> repeat_failed;  // a launch of a stretch, that was not asked about here
    std::function<CUctx_st*()> current_context;
    std::function<void()> work_waits;  // work() is to be called soon
  };
  struct Function {
    const char* name = nullptr;
    const void* real = nullptr;
    const void* ours = nullptr;
  };
  // `but_not`: addresses in objects whose pointers stay. `stretch` is that of
  // launches which may be listed without begin(): it is alone, and there is one context, so that
  // the same handles mean the same.
  LaunchDetour(Hooks hooks, const std::vector<Function>& functions,
               std::vector<std::uintptr_t> but_not, Stretch& stretch);

  static constexpr std::uint64_t first_proof = 1024;
  static constexpr std::uint64_t proof = 512;  // when it has been alone with these pointers before
  // After the pointers have been changed, so many launches may still come by the old ones: calls
  // that had read them.
  static constexpr std::uint64_t grace = 256;
  // Of the search for pointers, which takes milliseconds of another thread.
  static constexpr int most_searches = 100;

  // Of our functions, around the driver's.
  enum class Way {
    direct,  // nobody is to know
    heard,   // callbacks tell of it
    listed,
  };
  Way begin(const DetouredCall& call);
  void end(Way way, bool launched);
  void repeat_failed() { hooks_.repeat_failed(); }

  // Callbacks that come while this holds tell of a launch that is listed already.
  static bool is_listed_here() {
    return here.listing != nullptr || UntimedLaunches::repeats_here();
  }
  // From the callback before a launch; heard_ends() follows from the one after it.
  void heard(const HeardLaunch& launch) {
    if (!here.through_ours && is_plain_launch(launch.id)) {
      here.otherwise = true;
      ++calls_heard_;
    }
    if (watches_.load(std::memory_order_relaxed)) {
      compare(launch);
    }
  }
  void heard_ends() {
    if (std::exchange(here.otherwise, false)) {
      --calls_heard_;
    }
  }
  // Before a call that may bring a way to launch, or, with `handles_end`, lets handles be given
  // again.
  void code_changes(bool handles_end);
  void context_made();
  // Launches may soon be only listed: there is time to look for pointers, and to see who uses them.
  void look_ahead();
  // After each block of launches that are only listed; `settled`: no kernel among them is new.
  void block_ended(bool settled);
  // On a thread of ours, now and then.
  void work();
  // There was a launch that nobody heard: callbacks from now on.
  void give_up();

 private:
  enum class State { idle, watched, alone };
  // Of the calling thread: plain data, as a program may launch while its threads end.
  struct Here {
    UntimedLaunches::Thread* listing;
    bool through_ours;
    bool otherwise;  // between the callbacks of a launch that did not come through ours
  };
  static inline thread_local constinit Here here = {nullptr, false, false};

  void compare(const HeardLaunch& launch);
  void came_otherwise();
  bool list(const DetouredCall& call);
  void go_alone();
  void hear_again();
  void hear_again_locked();
  bool look_for_new_code_locked();

  const Hooks hooks_;
  std::vector<WordChange> there_;
  std::vector<WordChange> back_;
  ImportTable imports_there_;
  ImportTable imports_back_;
  const std::vector<std::uintptr_t> but_not_;
  KnownLaunches known_;

  std::atomic<State> state_{State::idle};  // changed with the mutex held, as the next
  Stretch& stretch_;
  std::atomic<bool> watches_{false};  // not idle
  std::atomic<bool> may_go_alone_{false};
  std::atomic<int> calls_heard_{0};       // that callbacks tell of, by our functions and otherwise
  std::atomic<std::uint64_t> proven_{0};  // launches through ours
  std::atomic<std::uint64_t> compared_{0};  // since the pointers were changed
  std::atomic<int> contexts_{0};
  std::atomic<bool> work_waits_{false};
  std::mutex mutex_;  // guards the members below
  std::uint32_t last_stretch_ = 0;
  bool search_waits_ = false;
  bool way_back_waits_ = false;
  LoadedCode searched_;  // what was loaded when pointers were changed
  int searches_ = 0;
  std::uint64_t to_prove_ = first_proof;
};

}  // namespace ridgepoint::collector
