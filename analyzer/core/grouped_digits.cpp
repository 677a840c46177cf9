#include "analyzer/core/grouped_digits.h"

#include <algorithm>

namespace ridgepoint {

std::string grouped_digits(std::string digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (int at = static_cast<int>(point) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string grouped_count(std::int64_t count) {
  const std::string digits = std::to_string(count);
  return count < 0 ? "-" + grouped_digits(digits.substr(1)) : grouped_digits(digits);
}

}  // namespace ridgepoint
