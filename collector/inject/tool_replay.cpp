// Launches that run again for their counters, and what keeps the program's other threads out of the
// way meanwhile.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "collector/inject/current_context.h"
#include "collector/inject/tool.h"
#include "collector/replay/cubin_globals.h"
#include "collector/replay/own_calls.h"

namespace ridgepoint::collector {
namespace {

// How long a replay waits for copies that other threads have in hand.
constexpr std::chrono::seconds moves_patience{1};
// How long exit() waits for a launch that another thread has in hand.
constexpr std::chrono::seconds exit_patience{10};

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
    recorder_.issue_once("replay.shared_memory",
                         "The program shares device memory with another process, GPU or graphics "
                         "API, or writes surfaces: from there on no kernel was run again.");
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
  MemoryMap memory;
  std::shared_ptr<const std::vector<std::string>> variables;
  {
    const std::lock_guard<std::mutex> lock(memory_mutex_);
    memory = memory_;
    const auto known = variables_.find(call.shape.mangled);
    variables = known == variables_.end() ? nullptr : known->second;
  }
  const auto save = [&] {
    return context.replay->save(call, memory, variables ? *variables : std::vector<std::string>());
  };
  replay_waits_ = true;
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
    return Way::replay;
  }
  // Counting serialises kernels: one that waits for another would wait for ever.
  return trouble->code == std::string("replay.waits") ? Way::leave_alone : Way::one_pass;
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
  }
  for (const ReplayTrouble& trouble :
       context.replay->run(sets_.at(context.chip).chosen, memory, recorder_)) {
    recorder_.issue_once(trouble.code, trouble.text);
  }
  replayed_in_call_ = true;
  finish_replays_at_exit();
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

// The program is about to allocate: our copies must not be why it cannot.
void InjectedTool::make_room(std::size_t bytes) {
  std::size_t available = 0;
  std::size_t total = 0;
  {
    const OwnCalls own(*driver_);
    if (driver_->mem_info(&available, &total) != CUDA_SUCCESS ||
        available >= bytes + memory_left_free / 2) {
      return;
    }
  }
  const AllGates alone(gates_);
  const std::lock_guard<std::mutex> lock(state_);
  run_replays(true);
  for (auto& [handle, context] : contexts_) {
    if (context.replay && context.replay->empty()) {
      const OwnCalls own(*driver_);
      const CurrentContext current(handle);
      context.replay->release_memory();
    }
  }
}

void InjectedTool::before_memory_call(const MemoryCall& call) {
  if (call_depth > 0) {
    return;
  }
  if (rare_records_) {
    switch (call.kind) {
      case MemoryCall::Kind::moves:
        rare_records_->before_copy();
        return;
      case MemoryCall::Kind::begins_capture:
      case MemoryCall::Kind::makes_graph:
      case MemoryCall::Kind::instantiates_graph:
        rare_records_->before_graph();
        break;
      default:
        break;
    }
  }
  switch (call.kind) {
    case MemoryCall::Kind::moves: {
      const std::shared_lock<std::shared_mutex> gate(moves_);
      ++moving_;
      break;
    }
    case MemoryCall::Kind::begins_capture: {
      const std::shared_lock<std::shared_mutex> gate(moves_);
      ++capturing_;
      break;
    }
    case MemoryCall::Kind::releases:
    case MemoryCall::Kind::protects:
    case MemoryCall::Kind::shares:
      if (replay_waits_) {
        const AllGates alone(gates_);
        const std::lock_guard<std::mutex> lock(state_);
        run_replays(true);
      }
      memory_shared_ = memory_shared_ || call.kind == MemoryCall::Kind::shares;
      break;
    case MemoryCall::Kind::allocates:
      if (replay_waits_) {
        make_room(call.bytes);
      }
      break;
    case MemoryCall::Kind::ends_capture:
    case MemoryCall::Kind::instantiates_graph:
    case MemoryCall::Kind::makes_graph:
      break;
  }
}

void InjectedTool::after_memory_call(const MemoryCall& call, CUctx_st* context, bool succeeded) {
  if (call_depth > 0) {
    return;
  }
  switch (call.kind) {
    case MemoryCall::Kind::moves:
      if (rare_records_) {
        rare_records_->after_copy();
      } else {
        --moving_;
      }
      break;
    case MemoryCall::Kind::begins_capture:
      capturing_ -= succeeded ? 0 : 1;
      break;
    case MemoryCall::Kind::ends_capture:
      // Also when it failed: an invalidated capture has ended all the same.
      capturing_ -= capturing_ > 0 ? 1 : 0;
      break;
    case MemoryCall::Kind::allocates:
      if (succeeded) {
        if (context != nullptr) {
          gates_.of(context);  // so that peers are known before they launch
        }
        const std::lock_guard<std::mutex> lock(memory_mutex_);
        memory_.add({call.address, call.bytes, context, call.mapped});
      }
      break;
    case MemoryCall::Kind::releases:
      if (succeeded) {
        const std::lock_guard<std::mutex> lock(memory_mutex_);
        memory_.remove(call.address, call.bytes);
      }
      break;
    case MemoryCall::Kind::instantiates_graph:
      if (succeeded && takes_timeline()) {
        see_graph(call);
      }
      break;
    case MemoryCall::Kind::protects:
    case MemoryCall::Kind::shares:
    case MemoryCall::Kind::makes_graph:
      break;
  }
}

void InjectedTool::module_loaded(const void* cubin, std::size_t bytes) {
  if (sampling_) {
    // Within a launch too: that is when a lazily loaded kernel's code comes.
    sampling_->module_loaded(cubin, bytes);
    return;
  }
  if (call_depth > 0) {
    return;
  }
  CubinSymbols symbols = cubin_symbols(cubin, bytes);
  if (symbols.globals.empty()) {
    return;
  }
  const auto shared = std::make_shared<const std::vector<std::string>>(std::move(symbols.globals));
  const std::lock_guard<std::mutex> lock(memory_mutex_);
  for (const std::string& kernel : symbols.kernels) {
    variables_[kernel] = shared;
  }
}

}  // namespace ridgepoint::collector
