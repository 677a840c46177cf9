#include "reports/trace/lanes.h"

#include <algorithm>
#include <numeric>

namespace ridgepoint {

std::size_t Lanes::place(const Span& span) {
  for (std::size_t lane = 0;; ++lane) {
    if (lane == open_.size()) {
      open_.emplace_back();
    }
    std::vector<std::int64_t>& ends = open_[lane];
    while (!ends.empty() && ends.back() <= span.start_ns) {
      ends.pop_back();
    }
    if (ends.empty() || span.end_ns <= ends.back() || lane + 1 == lane_limit) {
      ends.push_back(span.end_ns);
      return lane;
    }
  }
}

std::vector<std::size_t> placing_order(const std::vector<Span>& spans) {
  std::vector<std::size_t> order(spans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return spans[a].start_ns != spans[b].start_ns ? spans[a].start_ns < spans[b].start_ns
                                                  : spans[a].end_ns > spans[b].end_ns;
  });
  return order;
}

}  // namespace ridgepoint
