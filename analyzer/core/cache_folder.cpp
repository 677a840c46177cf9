#include "analyzer/core/cache_folder.h"

#include <cstdlib>

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

fs::path folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  const fs::path path = value != nullptr ? value : "";
  return path.is_absolute() ? path : fs::path();
}

}  // namespace

fs::path cache_folder() {
  fs::path cache = folder_in("XDG_CACHE_HOME");
  if (cache.empty()) {
    const fs::path home = folder_in("HOME");
    if (home.empty()) {
      return {};
    }
    cache = home / ".cache";
  }
  return cache / "ridgepoint";
}

}  // namespace ridgepoint
