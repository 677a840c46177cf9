// What every launch of the program looks at, in one cache line: whatever a launch reads has left
// the processor's nearest cache by the next.
#pragma once

#include <array>
#include <atomic>

#include "collector/inject/plain_launch.h"
#include "collector/inject/stretch.h"

namespace ridgepoint::collector {

class LaunchDetour;

struct alignas(64) LaunchLine {
  Stretch stretch;                                       // held back while NVTX ranges are open
  std::array<void*, plain_launch_ids.size()> real = {};  // the driver's functions, set at first
  std::atomic<LaunchDetour*> detour{nullptr};
};

// Of this process.
inline constinit LaunchLine launch_line;

}  // namespace ridgepoint::collector
