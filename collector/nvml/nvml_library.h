// Finding, opening and starting NVML, and the GPUs that it shows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "collector/nvml/nvml_api.h"

namespace ridgepoint::collector {

// NVML for as long as one of these lives: started by create(), shut down and unloaded by the
// destructor. NVML counts its starts, so that several in a process do not disturb each other.
class Nvml {
 public:
  // $RIDGEPOINT_NVML, else libnvidia-ml.so.1, which comes with the driver.
  static Result<Nvml> open();
  // Starts functions that are there already (tests).
  static Result<Nvml> start(const NvmlApi& api);

  Nvml(Nvml&&) noexcept = default;
  Nvml& operator=(Nvml&&) noexcept = default;

  const NvmlApi& api() const { return *api_; }

 private:
  struct Stop {
    void* library = nullptr;
    void operator()(NvmlApi* api) const;
  };
  static Result<Nvml> start(const NvmlApi& api, void* library);
  explicit Nvml(std::unique_ptr<NvmlApi, Stop> api) : api_(std::move(api)) {}

  std::unique_ptr<NvmlApi, Stop> api_;
};

// Those that this process may see, in NVML's order; null in the place of one that does not answer.
// Empty where NVML does not say how many there are, or names more than `most_gpus`.
inline constexpr unsigned most_gpus = 256;
std::optional<std::vector<NvmlDevice>> nvml_devices(const NvmlApi& nvml);
// Empty where it has none, and for a null device.
std::optional<std::string> nvml_name(const NvmlApi& nvml, NvmlDevice device);

}  // namespace ridgepoint::collector
