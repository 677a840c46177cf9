#include "collector/cupti/cupti_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "collector/cupti/cupti_api.h"

namespace ridgepoint::collector {
namespace {

constexpr const char* sonames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

// Empty when the library has every function; else the name of the first it lacks.
std::string bind(void* library, CuptiApi& api) {
#define RIDGEPOINT_CUPTI_BIND(name)                                       \
  api.name = reinterpret_cast<decltype(api.name)>(dlsym(library, #name)); \
  if (api.name == nullptr) {                                              \
    return #name;                                                         \
  }
  RIDGEPOINT_CUPTI_FUNCTIONS(RIDGEPOINT_CUPTI_BIND)
#undef RIDGEPOINT_CUPTI_BIND
#define RIDGEPOINT_CUPTI_TRY(name) \
  api.name = reinterpret_cast<decltype(api.name)>(dlsym(library, #name));
  RIDGEPOINT_CUPTI_PM_FUNCTIONS(RIDGEPOINT_CUPTI_TRY)
#undef RIDGEPOINT_CUPTI_TRY
  return {};
}

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};

}  // namespace

std::vector<std::string> cupti_candidates() {
  if (const char* chosen = std::getenv("RIDGEPOINT_CUPTI"); chosen != nullptr && *chosen != '\0') {
    return {chosen};
  }
  std::vector<std::string> paths;
  for (const char* soname : sonames) {
    const std::unique_ptr<void, CloseLibrary> loaded(dlopen(soname, RTLD_NOW | RTLD_NOLOAD));
    if (loaded != nullptr) {
      paths.emplace_back(soname);
    }
  }
  const auto add_toolkit = [&](const std::string& root) {
    for (const char* folder : {"/lib64/", "/extras/CUPTI/lib64/", "/targets/x86_64-linux/lib/"}) {
      for (const char* soname : sonames) {
        paths.push_back(root + folder + soname);
      }
    }
  };
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const char* root = std::getenv(variable); root != nullptr && *root != '\0') {
      add_toolkit(root);
    }
  }
  add_toolkit("/usr/local/cuda");
  paths.insert(paths.end(), std::begin(sonames), std::end(sonames));
  return paths;
}

Result<const CuptiApi*> load_cupti(const std::vector<std::string>& candidates) {
  std::string refused;  // a library that was there but cannot serve says more than one not found
  const auto try_open = [&](const std::string& path) -> const CuptiApi* {
    std::unique_ptr<void, CloseLibrary> library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (library == nullptr) {
      return nullptr;
    }
    auto api = std::make_unique<CuptiApi>();
    if (const std::string missing = bind(library.get(), *api); !missing.empty()) {
      refused += (refused.empty() ? "" : "; ") + path + " has no " + missing;
      return nullptr;
    }
    library.release();  // stays loaded, see the header
    return api.release();
  };
  for (const std::string& path : candidates) {
    if (const CuptiApi* api = try_open(path)) {
      return api;
    }
  }
  return fail(ErrorDomain::device, "opening CUPTI",
              refused.empty()
                  ? fmt::format("libcupti.so was not found in {} places", candidates.size())
                  : refused + " (CUDA 12.6 or later is needed)",
              "install the CUDA Toolkit with CUPTI (package cuda-cupti-13-0), or set "
              "RIDGEPOINT_CUPTI to the path of libcupti.so");
}

std::string cupti_version_text(const CuptiApi& api) {
  std::uint32_t version = 0;
  if (api.cuptiGetVersion(&version) != CUPTI_SUCCESS) {
    return {};
  }
  // cupti_version.h: 130001 is CUDA 13.0; up to CUDA 12.8 it was a plain count (26).
  return version >= 100000
             ? fmt::format("{}.{} ({})", version / 10000, version / 100 % 100, version)
             : fmt::format("{}", version);
}

}  // namespace ridgepoint::collector
