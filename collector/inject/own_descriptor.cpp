#include "collector/inject/own_descriptor.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace ridgepoint::collector {

Descriptor out_of_the_way(Descriptor file) {
  constexpr rlim_t first = STDERR_FILENO + 1;
  rlim_t lowest = 200;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    lowest = std::clamp(limit.rlim_cur / 2, first, lowest);
  }
  if (!file) {
    return file;
  }
  Descriptor moved(fcntl(file.get(), F_DUPFD_CLOEXEC, static_cast<int>(lowest)));
  return moved || file.get() < static_cast<int>(first) ? std::move(moved) : std::move(file);
}

}  // namespace ridgepoint::collector
