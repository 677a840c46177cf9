// What every launch of the program looks at before it may pass as a repeated one, in one cache
// line: whatever a launch reads has left the processor's nearest cache by the next.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "collector/inject/plain_launch.h"

namespace ridgepoint::collector {

class LaunchDetour;

struct alignas(64) LaunchLine {
  // In which stretch launches may repeat (repeated_launches.h); 0: in none.
  std::atomic<std::uint32_t> stretch{0};
  std::atomic<std::int32_t> open_ranges{0};  // of NVTX, in the process
  std::atomic<LaunchDetour*> detour{nullptr};
  // These are set once, before `detour` is.
  std::uint64_t untimed = 0;                             // UntimedLaunches::id()
  std::array<void*, plain_launch_ids.size()> real = {};  // the driver's functions
};

// Of this process.
inline constinit LaunchLine launch_line;

}  // namespace ridgepoint::collector
