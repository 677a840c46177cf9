// The program's launches: which are counted, and how they keep out of each other's way.

#include <utility>

#include "analyzer/core/text.h"
#include "collector/cupti/chip_name.h"
#include "collector/cupti/cupti_api.h"
#include "collector/inject/leave_cupti.h"
#include "collector/inject/no_cancellation.h"
#include "collector/inject/nvtx_entry.h"
#include "collector/inject/tool.h"
#include "collector/inject/tool_in_hand.h"
#include "collector/profile/launch_key.h"
#include "collector/replay/own_calls.h"

namespace ridgepoint::collector {

using Hold = LaunchInHand::Hold;

bool InjectedTool::needs_shape() const {
  return (counting() && !counts_ranges()) || settings_.timing || sampling_over_time_ ||
         nvtx_ranges().any_open();
}

void InjectedTool::before_launch(const HeardLaunch& launch) {
  if (LaunchDetour::is_listed_here() || call_depth++ > 0) {
    return;
  }
  if (!writer_.runs()) {  // call_once() alone costs every launch some ns
    const NoCancellation here;
    std::call_once(writer_started_, [this] { start_writer(); });
  }
  if (detour_) {
    detour_->heard(launch);
  }
  if (pace_ && list_launch(launch)) {
    return;
  }
  const NoCancellation here;
  in_hand.graph = launch.graph;
  const LaunchCall call = needs_shape() ? with_shape(launch) : LaunchCall{launch, {}};
  if (counting()) {
    ++calls_in_hand_;
    if (counts_ranges()) {
      gates_.of(call.context);
    } else {
      count_launch(call);
    }
    return;
  }
  if (settings_.timing) {
    time_launch(call);
    return;
  }
  record_launch(call);
  if (sampling_over_time_) {
    sample_launch(call);
  }
}

bool InjectedTool::is_meant(const LaunchCall& call, std::uint32_t ordinal, bool in_range) {
  if (call.graph || !filter_.device_matches(ordinal) ||
      (filter_.ranges() != nullptr && !in_range)) {
    return false;
  }
  const KernelTraits& traits = traits_of(call.shape.mangled);
  return traits.matches && filter_.timing_matches(traits.key, call.shape.grid, call.shape.block);
}

// A first run: how long the launches take that the filters let through.
void InjectedTool::time_launch(const LaunchCall& call) {
  if (is_captured(call)) {
    in_hand.captured = true;
    return;
  }
  const NvtxRanges::Place place = nvtx_ranges().place(this_thread());
  Recorder::Expectation expectation;
  {
    const std::lock_guard<std::mutex> lock(state_);
    expectation.ordinal = see_context(call.context).ordinal;
    if (!is_meant(call, expectation.ordinal, place.matches)) {
      return;
    }
  }
  expectation.shape = call.shape;
  in_hand.expected = true;
  recorder_.expect(call.correlation, std::move(expectation));
}

void InjectedTool::count_launch(const LaunchCall& call) {
  if (counted_all_) {
    return;
  }
  if (is_captured(call)) {
    in_hand.captured = true;  // it becomes a node of a graph, and runs when that is launched
    return;
  }
  const NvtxRanges::Place place = nvtx_ranges().place(this_thread());
  bool chosen = false;
  bool for_peers = false;
  {
    std::unique_lock<std::mutex> lock(state_, std::try_to_lock);
    if (!lock) {  // counters are being opened: prepare_replays()
      const MeasuringTime::Span span(measuring_);
      lock.lock();
    }
    const std::uint32_t ordinal = see_context(call.context).ordinal;
    chosen = is_meant(call, ordinal, place.matches) && filter_.take(call.shape.mangled, ordinal);
    for_peers = chosen && waits_for_peers(call.shape.mangled);
    chosen_in_hand_ += chosen ? 1 : 0;
  }
  // Not before the context is among those that work: a thread that lets GPUs reach each other
  // meanwhile finds it there, or has said so by now.
  if (peers_reached_) {
    meet(call.context);
  }
  if (!chosen) {
    pass_unchosen(call);
    return;
  }
  ++chosen_;
  hold_up();
  in_hand.context = call.context;
  in_hand.gate = &gates_.of(call.context);
  in_hand.gate->launches.lock();
  in_hand.hold = Hold::owned;
  // Counting waits for what was launched before: here, where no other thread needs the lock.
  const bool idle =
      for_peers || !gates_.several() || in_hand.gate->idle.wait(call.context, patience());
  const std::lock_guard<std::mutex> lock(state_);
  replayed_in_call_ = false;
  Context& context = see_context(call.context);
  const CounterSets* sets = sets_for(context.chip);
  const CounterSet* set = sets == nullptr ? nullptr : &sets->chosen;
  if (sets == nullptr) {
    record_instead();
  }
  Recorder::Expectation expectation;
  expectation.ordinal = context.ordinal;
  expectation.shape = call.shape;
  expectation.range = place.innermost;
  if (!idle) {
    recorder_.issue_once("counters.waits",
                         "Launches were not counted because what was launched before on their GPU "
                         "did not end within --replay-timeout: it may wait for a launch on "
                         "another GPU.");
    set = nullptr;
  } else if (set != nullptr && for_peers) {
    recorder_.issue_once("counters.peers",
                         "Kernels that match --no-replay were not counted, as the process uses "
                         "several GPUs: a counted launch returns when its kernel has ended, and "
                         "the kernel that it waits for is launched after it. A process for each "
                         "GPU has no such limit.");
    set = nullptr;
  } else if (set != nullptr && needs_replay(*set)) {
    const Way way = traits_of(call.shape.mangled).may_replay
                        ? save_for_replay(context, call.context, call)
                        : Way::one_pass;
    if (way == Way::replay) {
      in_hand.replay = context.replay.get();
    } else {
      ++not_replayed_;
      set = way == Way::one_pass ? sets->one_pass() : nullptr;
    }
  }
  if (in_hand.replay == nullptr && set != nullptr && enter_counters(context, call.context, *set)) {
    in_hand.counters = &*context.counters;
  }
  expectation.counters = in_hand.replay != nullptr || in_hand.counters != nullptr;
  if (in_hand.counters == nullptr) {
    pause_counters(context);  // it would be counted all the same
  }
  if (replayed_in_call_) {
    // Stopping the profiler, the last thing a replay does, takes several milliseconds.
    expectation.not_before_ns = wall_clock_ns() - std::int64_t{1000000};
  }
  if (without_records()) {
    // There is no record of when it ran. When it was launched keeps the order; how long it took is
    // a counter.
    expectation.shape.start_ns = expectation.shape.end_ns = wall_clock_ns();
    if (const Result<const DriverApi*> driver = loaded_driver()) {
      KernelLaunch::describe(**driver, call.id, call.parameters, expectation.shape);
    }
  }
  in_hand.expected = true;
  recorder_.expect(call.correlation, std::move(expectation));
}

void InjectedTool::pass_unchosen(const LaunchCall& call) {
  LaunchGate& gate = gates_.of(call.context);
  in_hand.gate = &gate;
  gate.launches.lock_shared();
  while (gate.started) {
    const MeasuringTime::Span span(measuring_);
    gate.launches.unlock_shared();
    gate.launches.lock();
    {
      const std::lock_guard<std::mutex> lock(state_);
      Context& context = see_context(call.context);
      // A graph's kernels would be ranges whose number nobody knows.
      if (!call.graph && context.counters && context.counters->tolerates_another() &&
          !waits_for_peers(call.shape.mangled)) {
        in_hand.counters = &*context.counters;
        in_hand.hold = Hold::owned;
        hold_up();
        return;
      }
      pause_counters(context);
    }
    gate.launches.unlock();
    gate.launches.lock_shared();
  }
  in_hand.hold = Hold::shared;
}

void InjectedTool::after_launch(std::uint32_t correlation, bool launched) {
  if (LaunchDetour::is_listed_here() || --call_depth > 0) {
    return;
  }
  if (detour_) {
    detour_->heard_ends();
  }
  if (UntimedLaunches::Thread* untimed = in_hand.untimed) {  // first: here a nanosecond shows
    left_untimed(*untimed, launched);
    if (!sampling_over_time_) {
      in_hand.untimed = nullptr;
      return;
    }
  }
  const NoCancellation here;
  const LaunchInHand launch = std::exchange(in_hand, {});
  if (launched && !launch.captured && launch.untimed == nullptr) {
    ++(launch.graph ? graphs_launched_ : launched_);
  }
  if (grids_ && (launch.graph || !launched)) {
    grids_->others(launch.graph ? GridNumbers::of_a_graph : GridNumbers::of_a_failed_launch);
  }
  if (launch.paced) {  // its launch is counted by now
    pace_->left();
  }
  if (launch.expected && !launched) {
    recorder_.forget(correlation);
  } else if (launch.expected) {
    recorder_.made(correlation);
  }
  if ((launch.graph || launch.captured) && launched && counting() && !counts_ranges()) {
    recorder_.issue_once("profile.graphs",
                         "The program launched CUDA graphs. Their kernels were not counted: "
                         "counters are taken of kernels that are launched one by one.");
  }
  if (launch.sampled != nullptr) {
    end_sampling(launch, launched);
  }
  bool exhausted = false;
  const bool chosen = counting() && launch.expected;
  if (chosen || launch.counters != nullptr) {
    const std::lock_guard<std::mutex> lock(state_);
    chosen_in_hand_ -= chosen ? 1 : 0;
    if (launch.replay != nullptr) {
      launch.replay->made(correlation, launched);
      if (launch.replay->full()) {
        run_replay(contexts_.at(launch.context), launch.context, true);
      }
    } else if (launch.counters != nullptr) {
      const Status left = chosen ? launch.counters->leave(correlation, launched)
                                 : launch.counters->leave_unchosen(launched);
      if (!left) {
        add_error("counters.unavailable", left.error());
      }
    }
    // The last one that the filters let through may still wait for its turn on another thread.
    exhausted = filter_.exhausted() && chosen_in_hand_ == 0;
  }
  switch (launch.hold) {
    case Hold::shared:
      launch.gate->launches.unlock_shared();
      break;
    case Hold::owned:
      launch.gate->launches.unlock();
      break;
    case Hold::nothing:
      break;
  }
  if (exhausted) {
    count_no_more();
  }
  if (counting() && --calls_in_hand_ == 0 && may_detach_) {
    detach();
  }
  if (launch.measuring) {
    measuring_.end();
  }
}

// The launch in hand, until its call has returned.
void InjectedTool::hold_up() {
  if (!std::exchange(in_hand.measuring, true)) {
    measuring_.begin();
  }
}

// A launch that is under way now began when all had been counted, and holds nothing: that its
// second callback does not come does not matter.
void InjectedTool::detach() {
  const std::lock_guard<std::mutex> lock(cupti_);
  if (detached_.exchange(true)) {
    return;
  }
  describe_devices_now();
  if (const Status left = leave_cupti(*api_, !without_records()); !left) {
    add_error("profile.not_detached", left.error());
  }
}

// Gives the counters back, so that the rest runs undisturbed.
void InjectedTool::count_no_more() {
  const MeasuringTime::Span span(measuring_);
  const AllGates alone(gates_);
  const std::lock_guard<std::mutex> lock(state_);
  close_all();
  counted_all_ = true;
  may_detach_ = true;
}

// Kernels of one process on several GPUs that wait for each other: what counts one makes the thread
// wait for its end, before it has launched the other.
bool InjectedTool::waits_for_peers(const std::string& mangled) {
  return gates_.several() && !traits_of(mangled).may_replay;
}

InjectedTool::Context& InjectedTool::see_context(CUctx_st* handle) {
  const auto [place, is_new] = contexts_.try_emplace(handle);
  Context& context = place->second;
  if (!is_new) {
    return context;
  }
  context.gate = &gates_.of(handle);
  if (api_->cuptiGetDeviceId(handle, &context.ordinal) != CUPTI_SUCCESS) {
    context.ordinal = 0;
    recorder_.issue_once("profile.device_unknown",
                         "CUPTI does not say which device a context is on; its launches are listed "
                         "under the first device.");
  }
  if (by_runs()) {
    recorder_.place_devices_up_to(context.ordinal);
  }
  if (counting() || sampling_over_time_) {
    const Result<std::string> chip = chip_name(*api_, static_cast<int>(context.ordinal));
    if (chip) {
      context.chip = *chip;
    } else {
      add_error(counting() ? "counters.unavailable" : "pm_sampling.unavailable", chip.error());
    }
  }
  return context;
}

InjectedTool::KernelTraits& InjectedTool::traits_of(const std::string& mangled) {
  const auto [place, is_new] = kernels_.try_emplace(mangled);
  if (is_new) {
    const std::string name = demangle(mangled);
    place->second = {
        filter_.kernel_matches(name), filter_.may_replay(name), kernel_key(printable(mangled)), {}};
  }
  return place->second;
}

void InjectedTool::before_context_ends(CUctx_st* handle) {
  if (call_depth > 0) {
    return;
  }
  if (sampling_) {
    sampling_->context_ends(handle);
  }
  ways_to_launch_change(true);
  // A launch of another thread keeps its own context alive; waiting for it cannot fail for long.
  const MeasuringTime::Span span(measuring_);
  const AllGates alone(gates_);
  const std::lock_guard<std::mutex> lock(state_);
  const auto found = contexts_.find(handle);
  if (found != contexts_.end()) {
    run_replay(found->second, handle, true);
    close_counters(found->second);
    close_ranges(found->second);
    if (found->second.replay) {
      const OwnCalls own(*driver_);
      found->second.replay->close();
    }
    contexts_.erase(found);
  }
  // Also of one that never launched: another may get its handle.
  gates_.forget(handle);
  const std::lock_guard<std::mutex> memory(memory_mutex_);
  memory_.remove_context(handle);
}

}  // namespace ridgepoint::collector
