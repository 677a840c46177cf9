#include "analyzer/compare/change_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/core/grouped_digits.h"

namespace ridgepoint {
namespace {

constexpr double largest_share = 1000;
constexpr double whole_from = 10;  // 1,000 %: a digit behind the point says nothing there

std::string digits_of(double share) {
  const double size = std::min(std::abs(share), largest_share);
  if (size < whole_from) {
    return fmt::format("{:.1f} %", size * 100);
  }
  return grouped_digits(fmt::format("{:.0f}", size * 100)) + " %";
}

}  // namespace

std::string change_size(double share) {
  return (share > largest_share ? "over " : "") + digits_of(share);
}

std::string signed_change(double share) {
  return (share > largest_share ? "over " : "") + std::string(std::signbit(share) ? "-" : "+") +
         digits_of(share);
}

std::string time_change(double share) {
  constexpr double shown_from = 0.0005;  // half of the last digit
  if (std::abs(share) < shown_from) {
    return "same time";
  }
  return change_size(share) + (share > 0 ? " more time" : " less time");
}

}  // namespace ridgepoint
