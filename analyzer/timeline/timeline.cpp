#include "analyzer/timeline/timeline.h"

#include <algorithm>

namespace ridgepoint {

std::optional<double> DeviceActivity::busy_share() const {
  return span_ns() > 0
             ? std::optional<double>(static_cast<double>(busy_ns) / static_cast<double>(span_ns()))
             : std::nullopt;
}

std::optional<double> MemoryTotal::bytes_per_s() const {
  return time_s > 0 ? std::optional<double>(bytes / time_s) : std::nullopt;
}

std::string Timeline::path(std::uint32_t detail) const {
  constexpr int deepest = 16;
  std::string text;
  for (int depth = 0; depth < deepest && detail < paths.size(); ++depth) {
    text = names[paths[detail].name] + (text.empty() ? "" : "/") + text;
    detail = paths[detail].parent;
  }
  return text;
}

}  // namespace ridgepoint
