// Launches that run again for their counters, and what keeps the program's other threads out of the
// way meanwhile.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "collector/inject/current_context.h"
#include "collector/inject/tool.h"
#include "collector/replay/own_calls.h"

namespace ridgepoint::collector {
namespace {

// How long a replay waits for copies that other threads have in hand.
constexpr std::chrono::seconds moves_patience{1};
// How long exit() waits for a launch that another thread has in hand.
constexpr std::chrono::seconds exit_patience{10};

const char* const shared_text =
    "The program shares device memory with another process or graphics API, works on several GPUs "
    "that reach each other's memory, or writes surfaces: from there on no kernel was run again.";

std::size_t launches_of_a_batch(const ProfileSettings& settings) {
  const std::int64_t all = settings.filter.launch_count;
  return all < 0 ? launches_per_batch
                 : std::clamp<std::size_t>(static_cast<std::size_t>(all), 1, launches_per_batch);
}

}  // namespace

CacheControl InjectedTool::cache_control() const {
  return cache_control_of(settings_.cache_control).value_or(CacheControl::flush);
}

bool InjectedTool::needs_replay(const CounterSet& set) const {
  // In one pass a kernel is counted where it runs, unless its caches are to be controlled.
  return !by_runs() && (set.choice.plan.passes > 1 || settings_.cache_control == "flush" ||
                        settings_.cache_control == "warm");
}

bool InjectedTool::is_captured(const HeardLaunch& launch) const {
  if (capturing_ == 0 || launch.graph) {
    return false;
  }
  const Result<const DriverApi*> driver = loaded_driver();
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return driver &&
         (*driver)->stream_capturing(KernelLaunch::stream_of(launch.id, launch.parameters),
                                     &status) == CUDA_SUCCESS &&
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

InjectedTool::Way InjectedTool::save_for_replay(Context& context, CUctx_st* handle,
                                                const LaunchCall& call) {
  if (context.replay_refused) {
    return Way::one_pass;
  }
  if (memory_shared_) {
    recorder_.issue_once("replay.shared_memory", shared_text);
    return Way::one_pass;
  }
  if (capturing_ > 0) {
    recorder_.issue_once("replay.capture",
                         "Kernels launched while a stream was being captured were not run again.");
    return Way::one_pass;
  }
  const Result<const DriverApi*> driver = loaded_driver();
  if (!driver) {
    context.replay_refused = true;
    add_error("replay.unavailable", driver.error());
    return Way::one_pass;
  }
  driver_ = *driver;
  const OwnCalls own(*driver_);
  if (!context.replay) {
    Result<std::unique_ptr<KernelReplay>> replay = KernelReplay::create(
        *driver_, *api_, handle, {cache_control(), patience(), launches_of_a_batch(settings_)});
    if (!replay) {
      context.replay_refused = true;
      add_error("replay.unavailable", replay.error());
      return Way::one_pass;
    }
    context.replay = std::move(*replay);
  }
  pause_counters(context);
  KernelLaunch::load(*driver_, call.id, call.parameters);  // so that its variables are known
  replay_waits_ = true;  // before memory is looked at: what is freed from now on must wait
  MemoryMap memory;
  std::shared_ptr<const std::vector<std::string>> variables;
  {
    const std::lock_guard<std::mutex> lock(memory_mutex_);
    memory = memory_;
    known_to_launches_ = memory_.added();
    const auto known = variables_.find(call.shape.mangled);
    variables = known == variables_.end() ? nullptr : known->second;
  }
  const auto save = [&] {
    return context.replay->save(call, memory, variables ? *variables : std::vector<std::string>());
  };
  finish_replays_at_exit();
  std::optional<ReplayTrouble> trouble = save();
  if (trouble && trouble->code == std::string("replay.memory") && !context.replay->empty()) {
    run_replay(context, handle, true);  // whose images give their memory back
    trouble = save();
  }
  if (trouble) {
    recorder_.issue_once(trouble->code, trouble->text);
  }
  if (!trouble) {
    // One GPU on which it is filled is enough to say so of the session.
    if (!context.replay->invalidates_l2()) {
      empty_l2_ = EmptyL2::filled;
      tell_that_l2_is_filled(*context.replay);
    } else if (empty_l2_ == EmptyL2::not_known) {
      empty_l2_ = EmptyL2::invalidated;
    }
    return Way::replay;
  }
  // Counting serialises kernels: one that waits for another would wait for ever.
  return trouble->code == std::string("replay.waits") ? Way::leave_alone : Way::one_pass;
}

void InjectedTool::tell_that_l2_is_filled(const KernelReplay& replay) {
  if (cache_control() == CacheControl::flush) {
    recorder_.issue_once(
        "replay.l2_filled",
        fmt::format(
            "L2 was filled with clean lines of another buffer before each pass, for it could "
            "not be emptied ({}). Its traffic and DRAM writes differ by 1 to 2 % from where "
            "it can.",
            replay.why_l2_is_filled()));
  }
}

void InjectedTool::run_replays(bool must) {
  for (auto& [handle, context] : contexts_) {
    run_replay(context, handle, must);
  }
}

void InjectedTool::run_replay(Context& context, CUctx_st* handle, bool must) {
  if (!context.replay || context.replay->empty()) {
    return;
  }
  if (memory_shared_) {  // since, and the context was not idle when it came to that
    recorder_.issue_once("replay.shared_memory", shared_text);
    context.replay->drop(recorder_);
    return;
  }
  const MeasuringTime::Span span(measuring_);
  const OwnCalls own(*driver_);
  const CurrentContext current(handle);
  const std::lock_guard<std::shared_mutex> gate(moves_);
  const auto start = std::chrono::steady_clock::now();
  while (moving_ > 0 && std::chrono::steady_clock::now() - start < moves_patience) {
    std::this_thread::yield();
  }
  if (moving_ > 0 || capturing_ > 0) {
    if (must) {
      recorder_.issue_once("replay.busy",
                           "Kernels were not run again because the program had a copy or a stream "
                           "capture under way all the time.");
      context.replay->drop(recorder_);
    }
    return;
  }
  pause_counters(context);
  close_counters(context);
  MemoryMap memory;
  {
    const std::lock_guard<std::mutex> lock(memory_mutex_);
    memory = memory_;
    known_to_launches_ = memory_.added();
  }
  for (const ReplayTrouble& trouble :
       context.replay->run(sets_.at(context.chip).chosen, memory, recorder_)) {
    recorder_.issue_once(trouble.code, trouble.text);
  }
  replayed_in_call_ = true;
  finish_replays_at_exit();
}

// Beside the program, which has launched something and goes on: only launches wait, and stream
// captures, during which CUPTI must not work. With several contexts a kernel of one may wait for a
// launch into another. Where CUPTI counts in one pass already, it is open.
void InjectedTool::prepare_replays() {
  const std::lock_guard<std::mutex> lock(state_);
  const std::lock_guard<std::mutex> opening(opening_);
  for (auto& [handle, context] : contexts_) {
    if (context.replay && !context.counters && capturing_ == 0 && awaiting_ == 0 &&
        !gates_.several()) {
      const OwnCalls own(*driver_);
      const CurrentContext current(handle);
      context.replay->prepare(sets_.at(context.chip).chosen);
    }
  }
}

// Again after the first replays: CUPTI makes what it needs when it is first used, and unmakes it
// before handlers that were registered earlier.
void InjectedTool::finish_replays_at_exit() {
  constexpr int enough = 8;
  if (exit_handlers_ < enough && on_exit_ != nullptr) {
    ++exit_handlers_;
    std::atexit(on_exit_);
  }
}

void InjectedTool::finish_replays() {
  finish_replays(exit_patience);
}

void InjectedTool::finish_replays(std::chrono::milliseconds gate_patience) {
  if (sampling_) {
    sampling_->finish();
  }
  if (sampling_over_time_) {
    sampling_over_time_->close();
  }
  if (!replay_waits_) {
    return;
  }
  const MeasuringTime::Span span(measuring_);
  if (const AllGates alone(gates_, gate_patience); alone) {
    const std::lock_guard<std::mutex> lock(state_);
    close_all();
    counted_all_ = true;
  }
}

void InjectedTool::close_all() {
  const MeasuringTime::Span span(measuring_);
  run_replays(true);
  for (auto& [handle, context] : contexts_) {
    close_counters(context);
    close_ranges(context);
    if (context.replay) {
      const OwnCalls own(*driver_);
      const CurrentContext current(handle);
      context.replay->close();
      context.replay.reset();
    }
  }
  replay_waits_ = false;
}

}  // namespace ridgepoint::collector
