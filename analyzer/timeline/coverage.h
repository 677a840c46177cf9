// How much time spans cover that come by their start: what lies under several counts once.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ridgepoint {

class Coverage {
 public:
  void add(std::int64_t start_ns, std::int64_t end_ns) {
    covered_ns_ += std::max<std::int64_t>(0, end_ns - std::max(start_ns, until_ns_));
    until_ns_ = std::max(until_ns_, end_ns);
  }
  std::int64_t covered_ns() const { return covered_ns_; }

 private:
  std::int64_t until_ns_ = 0;  // times are none before the beginning of a timeline
  std::int64_t covered_ns_ = 0;
};

}  // namespace ridgepoint
