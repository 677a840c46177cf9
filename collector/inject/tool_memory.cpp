// What the program's other calls of the driver, than launches, mean for launches that run again:
// which memory there is, and who else may be at work in it.
#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "collector/cupti/cupti_api.h"
#include "collector/inject/current_context.h"
#include "collector/inject/tool.h"
#include "collector/replay/cubin_globals.h"
#include "collector/replay/own_calls.h"

namespace ridgepoint::collector {
namespace {

// Modules may have kernels of the same name.
std::shared_ptr<const std::vector<std::string>> both(std::vector<std::string> names,
                                                     const std::vector<std::string>& more) {
  for (const std::string& name : more) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

// How long launches that wait may hold up the first work of another GPU.
constexpr std::chrono::milliseconds meeting_patience{1000};

// What the call in hand is to free.
thread_local std::vector<MemoryRange> released_here;

}  // namespace

// No launch begins, and the tool's state is the caller's, while one of these lives.
class InjectedTool::Standstill {
 public:
  explicit Standstill(InjectedTool& tool)
      : span_(tool.measuring_), gates_(tool.gates_), state_(tool.state_) {}
  // False where a launch under way has not ended in time.
  Standstill(InjectedTool& tool, std::chrono::milliseconds patience)
      : span_(tool.measuring_), gates_(tool.gates_, patience), state_(tool.state_) {}
  explicit operator bool() const { return static_cast<bool>(gates_); }

 private:
  const MeasuringTime::Span span_;
  const AllGates gates_;
  const std::lock_guard<std::mutex> state_;
};

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
  const Standstill still(*this);
  run_replays(true);
  for (auto& [handle, context] : contexts_) {
    if (context.replay && context.replay->empty()) {
      const OwnCalls own(*driver_);
      const CurrentContext current(handle);
      context.replay->release_memory();
    }
  }
}

// Whether no launch that waits, nor a replay under way, can have used the memory that it is about.
// JAX allocates, and grants access, whenever it needs more.
bool InjectedTool::concerns_no_launch(const MemoryCall& call) const {
  if (call.bytes == 0 || call.revokes) {
    return false;
  }
  return memory_.came_after(known_to_launches_, call.address, call.bytes) ||
         (call.kind == MemoryCall::Kind::protects &&
          memory_.begins_access(call.address, call.bytes));
}

// Launches that wait run before what they may need is gone, or is somebody else's too.
void InjectedTool::replay_before(const MemoryCall& call) {
  {
    const std::lock_guard<std::mutex> lock(memory_mutex_);
    if (!replay_waits_ || concerns_no_launch(call)) {
      return;
    }
  }
  const Standstill still(*this);
  run_replays(true);
}

// The memory comes off the map before it is freed, so that no launch is saved with it meanwhile:
// where no launch is concerned, in one step with that question; else when those that wait have run,
// since cuMemUnmap leaves the bytes to whoever maps them again.
void InjectedTool::before_release(const MemoryCall& call) {
  if (call.address == 0) {  // cuBLAS frees nothing when it starts: cudaFree(nullptr)
    return;
  }
  const auto take = [&] {
    std::vector<MemoryRange> taken = memory_.take(call.address, call.bytes);
    released_here.insert(released_here.end(), taken.begin(), taken.end());
  };
  {
    const std::lock_guard<std::mutex> lock(memory_mutex_);
    const bool of_no_concern = concerns_no_launch(call);
    if (of_no_concern || !replay_waits_) {
      take();
    }
    // Asked again: a launch may be being saved since, and have found the memory.
    if (of_no_concern || !replay_waits_) {
      return;
    }
  }
  const Standstill still(*this);
  run_replays(true);
  const std::lock_guard<std::mutex> memory(memory_mutex_);
  take();
}

// Of a change of access: memory of one GPU that another may reach. The driver's numbers of devices
// are CUPTI's.
bool InjectedTool::reaches_peers(const MemoryCall& call) {
  std::vector<CUctx_st*> owners;
  {
    const std::lock_guard<std::mutex> lock(memory_mutex_);
    owners = memory_.owners(call.address, call.bytes);
  }
  return std::any_of(owners.begin(), owners.end(), [&](CUctx_st* owner) {
    std::uint32_t own = 0;
    return owner == nullptr || api_->cuptiGetDeviceId(owner, &own) != CUPTI_SUCCESS ||
           std::any_of(call.devices.begin(), call.devices.end(),
                       [&](int device) { return static_cast<std::uint32_t>(device) != own; });
  });
}

// Of a pool: its own GPU has access from the start, and a GPU that has it gains nothing. Only the
// driver knows which GPU a pool is of.
bool InjectedTool::opens_pool(const MemoryCall& call) {
  const Result<const DriverApi*> driver = loaded_driver();
  if (!driver) {
    return !call.devices.empty();
  }
  const OwnCalls own(**driver);
  return std::any_of(call.devices.begin(), call.devices.end(), [&](int device) {
    CUmemLocation place = {};
    place.type = CU_MEM_LOCATION_TYPE_DEVICE;
    place.id = device;
    CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return (*driver)->pool_access(&access, call.pool, &place) != CUDA_SUCCESS ||
           access != CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  });
}

// Contexts on one GPU share its memory anyway.
bool InjectedTool::several_gpus_work() {
  const std::size_t made = gates_.made();
  if (made == contexts_met_) {
    return false;
  }
  const std::vector<CUctx_st*> contexts = gates_.contexts();
  std::set<std::uint32_t> devices;
  for (CUctx_st* context : contexts) {
    std::uint32_t device = 0;
    if (api_->cuptiGetDeviceId(context, &device) != CUPTI_SUCCESS) {
      return contexts.size() > 1;
    }
    devices.insert(device);
  }
  if (devices.size() > 1) {
    return true;
  }
  contexts_met_ = made;
  return false;
}

// GPUs of the process that may reach each other's memory do no harm while one of them does all the
// work: JAX lets all GPUs that it sees reach each other when it starts. `context` is about to work.
void InjectedTool::meet(CUctx_st* context) {
  if (context != nullptr) {
    gates_.of(context);
  }
  if (!peers_reached_ || memory_shared_ || !several_gpus_work()) {
    return;
  }
  if (replay_waits_) {
    const Standstill still(*this, patience());
    for (auto& [handle, waiting] : contexts_) {
      if (!still || !waiting.replay || waiting.replay->empty()) {
        continue;
      }
      const OwnCalls own(*driver_);
      const CurrentContext current(handle);
      // Not for long: its kernel may wait for what this very thread is about to launch.
      if (waiting.replay->is_idle(meeting_patience)) {
        run_replay(waiting, handle, true);
      }
    }
  }
  memory_shared_ = true;
}

void InjectedTool::before_memory_call(const MemoryCall& call, CUctx_st* context) {
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
      if (peers_reached_) {
        meet(context);
      }
      const std::shared_lock<std::shared_mutex> gate(moves_);
      ++moving_;
      break;
    }
    case MemoryCall::Kind::awaits_host: {
      // A profiler that starts waits for the context, and launches wait for it.
      const MeasuringTime::Span span(measuring_);
      const std::lock_guard<std::mutex> opening(opening_);
      const std::shared_lock<std::shared_mutex> gate(moves_);
      ++moving_;
      ++awaiting_;
      break;
    }
    case MemoryCall::Kind::begins_capture: {
      const MeasuringTime::Span span(measuring_);
      const std::lock_guard<std::mutex> opening(opening_);
      const std::shared_lock<std::shared_mutex> gate(moves_);
      ++capturing_;
      ways_to_launch_change(false);
      break;
    }
    case MemoryCall::Kind::releases:
      before_release(call);
      break;
    case MemoryCall::Kind::protects:
      if (reaches_peers(call)) {
        peers_reached_ = true;
        meet(nullptr);
      }
      replay_before(call);
      break;
    case MemoryCall::Kind::shares:
      replay_before(call);
      memory_shared_ = true;
      break;
    case MemoryCall::Kind::opens_pool:
      if (!opens_pool(call)) {
        break;
      }
      [[fallthrough]];
    case MemoryCall::Kind::reaches_peers:
      peers_reached_ = true;
      meet(nullptr);
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
    case MemoryCall::Kind::awaits_host:
      --awaiting_;
      --moving_;
      break;
    case MemoryCall::Kind::begins_capture:
      capturing_ -= succeeded ? 0 : 1;
      break;
    case MemoryCall::Kind::ends_capture:
      if (succeeded) {
        capture_ended();
      }
      break;
    case MemoryCall::Kind::allocates:
      if (succeeded) {
        meet(context);  // so that peers are known before they launch
        const std::lock_guard<std::mutex> lock(memory_mutex_);
        memory_.add({call.address, call.bytes, context, call.mapped});
      }
      break;
    case MemoryCall::Kind::releases: {
      const std::vector<MemoryRange> released = std::exchange(released_here, {});
      if (!succeeded) {
        const std::lock_guard<std::mutex> lock(memory_mutex_);
        memory_.put_back(released);
      }
      break;
    }
    case MemoryCall::Kind::instantiates_graph:
      if (succeeded && takes_timeline()) {
        see_graph(call);
      }
      break;
    case MemoryCall::Kind::protects:
      if (succeeded) {
        const std::lock_guard<std::mutex> lock(memory_mutex_);
        memory_.grant(call.address, call.bytes);
      }
      break;
    case MemoryCall::Kind::shares:
    case MemoryCall::Kind::reaches_peers:
    case MemoryCall::Kind::opens_pool:
    case MemoryCall::Kind::makes_graph:
      break;
  }
}

// Threads end captures at the same time, also such as began before the tool was there.
void InjectedTool::capture_ended() {
  int under_way = capturing_;
  while (under_way > 0 && !capturing_.compare_exchange_weak(under_way, under_way - 1)) {
  }
}

void InjectedTool::module_loaded(const void* cubin, std::size_t bytes) {
  if (sampling_) {
    // Within a launch too: that is when a lazily loaded kernel's code comes.
    sampling_->module_loaded(cubin, bytes);
    return;
  }
  if (!may_replay()) {
    return;
  }
  // Within a launch too, for the same reason.
  CubinSymbols symbols = cubin_symbols(cubin, bytes);
  if (symbols.globals.empty()) {
    return;
  }
  const auto shared = std::make_shared<const std::vector<std::string>>(std::move(symbols.globals));
  const std::lock_guard<std::mutex> lock(memory_mutex_);
  for (const std::string& kernel : symbols.kernels) {
    auto& known = variables_[kernel];
    known = known == nullptr ? shared : both(*known, *shared);
  }
}

}  // namespace ridgepoint::collector
