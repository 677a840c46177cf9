// Watches GPUs from a thread of its own: the watched work runs in other threads or in another
// process, and pays nothing but the driver's answers.
//
// Life cycle: start() -> begin() and end() around each phase -> stop(), which gives what was seen.
// The thread has every signal blocked, so that they reach the threads that wait for them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"
#include "collector/nvml/nvml_library.h"

namespace ridgepoint::collector {

// What was seen of one GPU; PowerSample::device and PowerPhase::device are left 0.
struct WatchedGpu {
  std::string pci_bus_id;
  std::vector<PowerSample> samples;
  std::vector<PowerPhase> phases;
};

struct PowerMonitorOptions {
  std::chrono::milliseconds period{10};
  std::string pci_bus_id;           // empty: every GPU that NVML shows
  std::size_t most_samples = 4096;  // kept for each GPU
};

class PowerMonitor {
 public:
  // Fails (device) when NVML shows no such GPU.
  static Result<PowerMonitor> start(Nvml nvml, const PowerMonitorOptions& options);
  PowerMonitor(PowerMonitor&&) noexcept;
  PowerMonitor& operator=(PowerMonitor&&) noexcept;
  ~PowerMonitor();

  // Each takes a sample of its own first, so that the shortest phase has its two ends.
  void begin(const std::string& phase, const std::string& variant = {});
  void end(std::int64_t runs = 0);
  // Ends the thread; an open phase ends with it.
  std::vector<WatchedGpu> stop();

 private:
  struct State;
  explicit PowerMonitor(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The series and phases of the GPU with this bus address, added to the session as its `device`.
// False when it was not among those watched.
bool add_power(const std::vector<WatchedGpu>& watched, const std::string& pci_bus_id,
               std::uint32_t device, Session& session);

}  // namespace ridgepoint::collector
