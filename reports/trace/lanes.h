// Where slices of a trace go so that viewers can draw them: on one track a slice must lie within
// the one that is open, or after it. Those that cross get further lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridgepoint {

struct Span {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
};

// What crosses even the last lane stays in it: a forged file must not make a million of them.
inline constexpr std::size_t lane_limit = 64;

// Assigns lanes to spans that come in order of their start, of equal starts the longest first.
class Lanes {
 public:
  // 0 for the first lane.
  std::size_t place(const Span& span);

 private:
  std::vector<std::vector<std::int64_t>> open_;  // of each lane, the ends of what is open
};

// The order in which place() wants them: indices into `spans`.
std::vector<std::size_t> placing_order(const std::vector<Span>& spans);

}  // namespace ridgepoint
