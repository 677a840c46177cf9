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

namespace {

const char* empty_l2_text(EmptyL2 l2) {
  switch (l2) {
    case EmptyL2::invalidated:
      return "L2 is written back and invalidated";
    case EmptyL2::filled:
      return "L2 is filled with clean lines of another buffer";
    case EmptyL2::not_known:
      break;
  }
  return "nothing of the program is left in L2";
}

}  // namespace

std::string cache_control_text(CacheControl control, EmptyL2 l2) {
  switch (control) {
    case CacheControl::flush:
      return std::string(
                 "flush: before each pass of a kernel its memory is restored, instruction and "
                 "constant caches are emptied, and ") +
             empty_l2_text(l2);
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
