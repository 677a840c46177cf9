#include "collector/nvml/power_monitor.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "analyzer/core/signals_blocked.h"
#include "collector/nvml/power_log.h"
#include "collector/nvml/power_reader.h"

namespace ridgepoint::collector {
namespace {

std::int64_t wall_clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

struct Watched {
  NvmlGpu gpu;
  PowerLog log;
};

}  // namespace

struct PowerMonitor::State {
  explicit State(Nvml library) : nvml(std::move(library)) {}

  void sample_all() {  // under the lock
    for (Watched& one : watched) {
      PowerSample sample = read_power(nvml.api(), one.gpu.handle);
      sample.time_ns = wall_clock_ns();
      one.log.add(sample);
    }
  }
  void watch() {
    std::unique_lock lock(mutex);
    auto next = std::chrono::steady_clock::now();
    while (!stopping) {
      sample_all();
      next += period;
      // A driver that answers slowly must not be asked without a pause.
      const auto now = std::chrono::steady_clock::now();
      next = std::max(next, now + period / 2);
      wake.wait_until(lock, next, [&] { return stopping; });
    }
  }

  Nvml nvml;
  std::chrono::milliseconds period{10};
  std::mutex mutex;
  std::condition_variable wake;
  bool stopping = false;
  std::vector<Watched> watched;
  std::thread thread;
};

PowerMonitor::PowerMonitor(std::unique_ptr<State> state) : state_(std::move(state)) {}
PowerMonitor::PowerMonitor(PowerMonitor&&) noexcept = default;
PowerMonitor& PowerMonitor::operator=(PowerMonitor&&) noexcept = default;
PowerMonitor::~PowerMonitor() {
  stop();
}

Result<PowerMonitor> PowerMonitor::start(Nvml nvml, const PowerMonitorOptions& options) {
  const std::string what = "watching power and clocks";
  auto state = std::make_unique<State>(std::move(nvml));
  state->period = options.period;
  for (NvmlGpu& gpu : nvml_gpus(state->nvml.api())) {
    if (options.pci_bus_id.empty() || same_pci_bus_id(gpu.pci_bus_id, options.pci_bus_id)) {
      state->watched.push_back({std::move(gpu), PowerLog(options.most_samples)});
    }
  }
  if (state->watched.empty()) {
    return fail(ErrorDomain::device, what,
                options.pci_bus_id.empty() ? "NVML shows no GPU"
                                           : "NVML does not show the GPU " + options.pci_bus_id);
  }
  const AllSignalsBlocked blocked;
  try {
    state->thread = std::thread([watcher = state.get()] { watcher->watch(); });
  } catch (const std::system_error& error) {
    return fail(ErrorDomain::internal, what, error.what(), {}, error.code().value());
  }
  return PowerMonitor(std::move(state));
}

void PowerMonitor::begin(const std::string& phase, const std::string& variant) {
  const std::lock_guard lock(state_->mutex);
  for (Watched& one : state_->watched) {
    one.log.begin_phase(phase, variant, wall_clock_ns());
  }
  state_->sample_all();
}

void PowerMonitor::end(std::int64_t runs) {
  const std::int64_t end_ns = wall_clock_ns();  // before waiting for a sample that is being taken
  const std::lock_guard lock(state_->mutex);
  state_->sample_all();
  for (Watched& one : state_->watched) {
    one.log.end_phase(end_ns, runs);
  }
}

std::vector<WatchedGpu> PowerMonitor::stop() {
  std::vector<WatchedGpu> seen;
  if (state_ == nullptr) {
    return seen;
  }
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->wake.notify_all();
  state_->thread.join();
  for (Watched& one : state_->watched) {
    one.log.end_phase(wall_clock_ns(), 0);
    seen.push_back({one.gpu.pci_bus_id, one.log.samples(), one.log.phases()});
  }
  state_.reset();
  return seen;
}

bool add_power(const std::vector<WatchedGpu>& watched, const std::string& pci_bus_id,
               std::uint32_t device, Session& session) {
  for (const WatchedGpu& one : watched) {
    if (!same_pci_bus_id(one.pci_bus_id, pci_bus_id)) {
      continue;
    }
    for (PowerSample sample : one.samples) {
      sample.device = device;
      session.power.push_back(sample);
    }
    for (PowerPhase phase : one.phases) {
      phase.device = device;
      session.power_phases.push_back(std::move(phase));
    }
    return true;
  }
  return false;
}

}  // namespace ridgepoint::collector
