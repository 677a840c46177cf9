#include "collector/inject/own_descriptor.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>

namespace ridgepoint::collector {

Descriptor out_of_the_way(Descriptor file) {
  rlim_t lowest = 200;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    lowest = std::min(lowest, limit.rlim_cur / 2);
  }
  if (file) {
    Descriptor moved(fcntl(file.get(), F_DUPFD_CLOEXEC, static_cast<int>(lowest)));
    if (moved) {
      return moved;
    }
  }
  return file;
}

}  // namespace ridgepoint::collector
