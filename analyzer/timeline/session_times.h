// Which times of a session are times.
#pragma once

#include <cstdint>

namespace ridgepoint {

// Of a GPU: when work began and ended. Both the same is a launch that was listed and not timed,
// zero nothing at all.
constexpr bool has_times(std::int64_t start_ns, std::int64_t end_ns) {
  return start_ns > 0 && end_ns > start_ns;
}

}  // namespace ridgepoint
