#include "collector/nvml/nvml_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace ridgepoint::collector {
namespace {

const std::string opening = "opening NVML";

template <class Function>
void bind(void* library, Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

NvmlApi functions_of(void* library) {
  NvmlApi api;
#define RIDGEPOINT_NVML_BIND(name) bind(library, api.name, #name)
  RIDGEPOINT_NVML_BIND(nvmlInit_v2);
  RIDGEPOINT_NVML_BIND(nvmlShutdown);
  RIDGEPOINT_NVML_BIND(nvmlErrorString);
  RIDGEPOINT_NVML_BIND(nvmlDeviceGetCount_v2);
  RIDGEPOINT_NVML_BIND(nvmlDeviceGetHandleByIndex_v2);
  RIDGEPOINT_NVML_BIND(nvmlDeviceGetName);
  RIDGEPOINT_NVML_BIND(nvmlDeviceGetMigMode);
  RIDGEPOINT_NVML_BIND(nvmlDeviceGetVirtualizationMode);
  RIDGEPOINT_NVML_BIND(nvmlDeviceGetPciInfo_v3);
  RIDGEPOINT_NVML_BIND(nvmlDeviceGetClockInfo);
  RIDGEPOINT_NVML_BIND(nvmlDeviceGetPowerUsage);
  RIDGEPOINT_NVML_BIND(nvmlDeviceGetFieldValues);
  RIDGEPOINT_NVML_BIND(nvmlDeviceGetTotalEnergyConsumption);
  RIDGEPOINT_NVML_BIND(nvmlDeviceGetTemperature);
  RIDGEPOINT_NVML_BIND(nvmlDeviceGetCurrentClocksThrottleReasons);
  RIDGEPOINT_NVML_BIND(nvmlSystemGetConfComputeState);
  RIDGEPOINT_NVML_BIND(nvmlSystemGetConfComputeSettings);
#undef RIDGEPOINT_NVML_BIND
  if (api.nvmlDeviceGetCurrentClocksThrottleReasons == nullptr) {
    bind(library, api.nvmlDeviceGetCurrentClocksThrottleReasons,
         "nvmlDeviceGetCurrentClocksEventReasons");
  }
  return api;
}

}  // namespace

void Nvml::Stop::operator()(NvmlApi* api) const {
  if (api->nvmlShutdown != nullptr) {
    api->nvmlShutdown();
  }
  delete api;
  if (library != nullptr) {
    dlclose(library);
  }
}

Result<Nvml> Nvml::start(const NvmlApi& api, void* library) {
  const auto give_up = [&](std::string why, int code) {
    if (library != nullptr) {
      dlclose(library);
    }
    return fail(ErrorDomain::device, opening, std::move(why),
                "power and clocks need the NVIDIA driver's NVML", code);
  };
  if (api.nvmlInit_v2 == nullptr || api.nvmlDeviceGetCount_v2 == nullptr ||
      api.nvmlDeviceGetHandleByIndex_v2 == nullptr) {
    return give_up("the library lacks nvmlInit_v2 or the functions that list devices", 0);
  }
  if (const int code = api.nvmlInit_v2(); code != nvml_success) {
    const char* text = api.nvmlErrorString != nullptr ? api.nvmlErrorString(code) : nullptr;
    return give_up(text != nullptr ? text : fmt::format("error {}", code), code);
  }
  return Nvml(std::unique_ptr<NvmlApi, Stop>(new NvmlApi(api), Stop{library}));
}

Result<Nvml> Nvml::start(const NvmlApi& api) {
  return start(api, nullptr);
}

Result<Nvml> Nvml::open() {
  const char* chosen = std::getenv("RIDGEPOINT_NVML");
  const std::string path =
      chosen != nullptr && *chosen != '\0' ? std::string(chosen) : "libnvidia-ml.so.1";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return fail(ErrorDomain::device, opening, path + " was not found",
                "it comes with the NVIDIA driver; containers need the driver's utility libraries");
  }
  return start(functions_of(library), library);
}

std::optional<std::vector<NvmlDevice>> nvml_devices(const NvmlApi& nvml) {
  unsigned count = 0;
  if (nvml.nvmlDeviceGetCount_v2(&count) != nvml_success || count > most_gpus) {
    return std::nullopt;
  }
  std::vector<NvmlDevice> devices(count, nullptr);
  for (unsigned i = 0; i < count; ++i) {
    if (nvml.nvmlDeviceGetHandleByIndex_v2(i, &devices[i]) != nvml_success) {
      devices[i] = nullptr;
    }
  }
  return devices;
}

std::optional<std::string> nvml_name(const NvmlApi& nvml, NvmlDevice device) {
  std::array<char, nvml_name_bytes> name{};
  if (device == nullptr || nvml.nvmlDeviceGetName == nullptr ||
      nvml.nvmlDeviceGetName(device, name.data(), nvml_name_bytes - 1) != nvml_success) {
    return std::nullopt;
  }
  return std::string(name.data());
}

}  // namespace ridgepoint::collector
