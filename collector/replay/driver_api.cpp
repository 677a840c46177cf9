#include "collector/replay/driver_api.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

namespace ridgepoint::collector {
namespace {

// Empty when the library has every function; else the name of the first it lacks.
std::string bind(void* library, DriverApi& api) {
#define RIDGEPOINT_DRIVER_BIND(field, symbol, ...)                           \
  api.field = reinterpret_cast<decltype(api.field)>(dlsym(library, symbol)); \
  if (api.field == nullptr) {                                                \
    return symbol;                                                           \
  }
  RIDGEPOINT_DRIVER_FUNCTIONS(RIDGEPOINT_DRIVER_BIND)
#undef RIDGEPOINT_DRIVER_BIND
  return {};
}

}  // namespace

Result<const DriverApi*> loaded_driver() {
  static DriverApi api;
  static const std::string missing = [] {
    // Never unloaded: the program has it anyway.
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    return library == nullptr ? std::string("libcuda.so.1, which the program has not loaded")
                              : bind(library, api);
  }();
  if (!missing.empty()) {
    return fail(ErrorDomain::device, "preparing to run kernels again",
                "the driver lacks " + missing, "a driver for CUDA 12.5 or later is needed");
  }
  return &api;
}

Status driver_status(const DriverApi& driver, CUresult code, const char* what) {
  if (code == CUDA_SUCCESS) {
    return {};
  }
  const char* name = nullptr;
  if (driver.error_name(code, &name) != CUDA_SUCCESS || name == nullptr) {
    name = "an unknown error";
  }
  return fail(ErrorDomain::device, what, fmt::format("{} ({})", name, static_cast<int>(code)));
}

}  // namespace ridgepoint::collector
