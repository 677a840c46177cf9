// Which times of a session are times.
#pragma once

#include <cstdint>

namespace ridgepoint {

// Zero is nothing at all. Both the same is a launch that was listed and not timed, or a range in
// which no time passed: a mark at that moment.
constexpr bool is_placed(std::int64_t start_ns, std::int64_t end_ns) {
  return start_ns > 0 && end_ns >= start_ns;
}
// Of a GPU: when work began and ended.
constexpr bool has_times(std::int64_t start_ns, std::int64_t end_ns) {
  return is_placed(start_ns, end_ns) && end_ns > start_ns;
}

}  // namespace ridgepoint
