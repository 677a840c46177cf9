#include "cli/number_range.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace ridgepoint::cli {
namespace {

template <typename Number>
std::optional<Number> read_whole(const std::string& text) {
  const char* begin = text.data() + (text.rfind('+', 0) == 0 ? 1 : 0);
  const char* end = text.data() + text.size();
  Number value{};
  const auto [stop, failure] = std::from_chars(begin, end, value);
  return failure == std::errc() && stop == end ? std::optional<Number>(value) : std::nullopt;
}

bool has_leading_zero(const std::string& text) {
  const std::size_t digit = text.find_first_of("0123456789");
  return digit != std::string::npos && text[digit] == '0' && digit + 1 < text.size();
}

template <typename Fits>
CLI::Validator validator(std::string description, std::string wanted, Fits fits) {
  return CLI::Validator(
      [wanted = std::move(wanted), fits](const std::string& text) {
        return fits(text) ? std::string() : fmt::format("{} is not {}", text, wanted);
      },
      std::move(description));
}

}  // namespace

CLI::Validator number_in(double low, double high) {
  return validator(fmt::format("FLOAT {:g} to {:g}", low, high),
                   fmt::format("a number from {:g} to {:g}", low, high),
                   [low, high](const std::string& text) {
                     const auto value = read_whole<double>(text);
                     return value && std::isfinite(*value) && *value >= low && *value <= high;
                   });
}

CLI::Validator positive_number(double high) {
  return validator("FLOAT above 0", fmt::format("a number above 0 and at most {:g}", high),
                   [high](const std::string& text) {
                     const auto value = read_whole<double>(text);
                     return value && std::isfinite(*value) && *value > 0 && *value <= high;
                   });
}

CLI::Validator whole_number_in(std::int64_t low, std::int64_t high) {
  return validator(fmt::format("INT {} to {}", low, high),
                   fmt::format("a whole number from {} to {}", low, high),
                   [low, high](const std::string& text) {
                     const auto value = read_whole<std::int64_t>(text);
                     return value && !has_leading_zero(text) && *value >= low && *value <= high;
                   });
}

}  // namespace ridgepoint::cli
