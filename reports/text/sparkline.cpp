#include "reports/text/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {

std::string sparkline(const std::vector<double>& values, double bottom, double top) {
  static constexpr std::array<const char*, 8> blocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr double highest = blocks.size() - 1;
  std::string line;
  for (const double value : values) {
    if (!std::isfinite(value) || !(top > bottom)) {
      line += ' ';
      continue;
    }
    const double height = std::round((value - bottom) / (top - bottom) * highest);
    line += blocks[static_cast<std::size_t>(std::clamp(height, 0.0, highest))];
  }
  return line;
}

}  // namespace ridgepoint
