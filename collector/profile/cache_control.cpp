#include "collector/profile/cache_control.h"

namespace ridgepoint::collector {

std::optional<CacheControl> cache_control_of(const std::string& name) {
  if (name == "flush") {
    return CacheControl::flush;
  }
  if (name == "none") {
    return CacheControl::none;
  }
  return name == "warm" ? std::optional(CacheControl::warm) : std::nullopt;
}

std::string cache_control_text(CacheControl control) {
  switch (control) {
    case CacheControl::flush:
      return "flush: before each pass of a kernel its memory is restored, instruction and constant "
             "caches are emptied, and L2 is filled with clean lines of another buffer";
    case CacheControl::none:
      return "none: before each pass of a kernel its memory is restored, dirty lines are written "
             "back, and the program's memory is read once; what earlier kernels of the program "
             "left in the caches is lost";
    case CacheControl::warm:
      return "warm: before each pass of a kernel its memory is restored, the kernel runs once "
             "uncounted, and what it changed is restored again";
  }
  return {};
}

}  // namespace ridgepoint::collector
