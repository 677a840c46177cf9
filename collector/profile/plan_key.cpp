#include "collector/profile/plan_key.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <system_error>

#include "analyzer/core/data_path.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;

// Told apart whatever they hold: lengths before them.
std::string part(const char* name, const std::string& value) {
  return fmt::format("{} {}:{}\n", name, value.size(), value);
}

// Name, size and time of change: another file, or another version of it. Empty: there is none.
std::string identity(const fs::path& file) {
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return {};
  }
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  return part("file", error ? file.string() : real.string()) +
         fmt::format("{} {}.{:09}\n", status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};

// The file that the dynamic linker takes for a name without a folder. Only it knows: what it looks
// through is its own cache, and never the current folder. CUPTI has not been called yet, so that it
// may be closed again.
std::string file_of_soname(const std::string& soname) {
  const std::unique_ptr<void, CloseLibrary> library(dlopen(soname.c_str(), RTLD_LAZY | RTLD_LOCAL));
  link_map* map = nullptr;
  if (library == nullptr || dlinfo(library.get(), RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) {
    return {};
  }
  return map->l_name;
}

// CUPTI's host side, which knows the counters; it is loaded from beside CUPTI.
std::string counter_libraries(const fs::path& cupti) {
  std::error_code error;
  std::vector<fs::path> found;
  for (const fs::path& folder : {cupti.parent_path(), fs::canonical(cupti, error).parent_path()}) {
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      if (it->path().filename().string().rfind("libnvperf_host.so", 0) == 0) {
        found.push_back(it->path());
      }
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::string text;
  for (const fs::path& file : found) {
    text += identity(file);
  }
  return text;
}

// Of each that is there: the first may prove to be one that does not load. A name without a folder
// is asked for where nothing better is there, since it takes 20 ms.
std::string cupti_identity(const std::vector<std::string>& candidates) {
  std::string text;
  for (const std::string& candidate : candidates) {
    const bool has_folder = candidate.find('/') != std::string::npos;
    const std::string file = has_folder     ? candidate
                             : text.empty() ? file_of_soname(candidate)
                                            : std::string();
    if (const std::string found = file.empty() ? std::string() : identity(file); !found.empty()) {
      text += found + counter_libraries(file);
    }
  }
  return text;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? fmt::format("{} unset\n", name) : part(name, value);
}

}  // namespace

std::string plan_key(const ProfileOptions& options, const PlanPlace& place) {
  std::string tables;
  for (const fs::path& table :
       data_files(place.data, "counters").value_or(std::vector<fs::path>())) {
    tables += identity(table);
  }
  const std::string program = identity(place.program);
  const std::string library = cupti_identity(place.cupti);
  if (program.empty() || tables.empty() || library.empty() || place.driver.empty() ||
      place.gpus.empty()) {
    return {};
  }
  std::string key = part("ridgepoint", RIDGEPOINT_VERSION) + program + part("tables", tables) +
                    part("cupti", library) + part("driver", place.driver) +
                    part("gpus", place.gpus) + variable("CUDA_VISIBLE_DEVICES") +
                    variable("CUDA_DEVICE_ORDER") + part("replay", options.replay) +
                    part("profile", options.counter_profile);
  for (const std::string& counter : options.counters) {
    key += part("counter", counter);
  }
  return key;
}

}  // namespace ridgepoint::collector
