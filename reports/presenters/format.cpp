#include "reports/presenters/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analyzer/core/text.h"

namespace ridgepoint {
namespace {

// Three significant digits without exponent: 4.34, 41.3, 612. Larger numbers, which only units
// without prefix reach, are whole and grouped: 4,096.
std::string three_digits(double value) {
  if (value == 0) {
    return "0";
  }
  const double magnitude = std::abs(value);
  if (magnitude >= 999.5) {
    std::string digits = fmt::format("{:.0f}", magnitude);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
      digits.insert(static_cast<std::size_t>(at), ",");
    }
    return (value < 0 ? "-" : "") + digits;
  }
  int decimals = 2 - static_cast<int>(std::floor(std::log10(magnitude)));
  // 9.996 rounds up to four digits, 10.00: one decimal less.
  if (magnitude + 0.5 * std::pow(10.0, -decimals) >= std::pow(10.0, 3 - decimals)) {
    --decimals;
  }
  return fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 12));
}

struct Prefix {
  int exponent;
  const char* symbol;
};
constexpr std::array<Prefix, 11> prefixes = {{{-12, "p"},
                                              {-9, "n"},
                                              {-6, "µ"},
                                              {-3, "m"},
                                              {0, ""},
                                              {3, "k"},
                                              {6, "M"},
                                              {9, "G"},
                                              {12, "T"},
                                              {15, "P"},
                                              {18, "E"}}};

// With the prefix, within [lowest, highest], that leaves 1 to 999 before the point.
std::string prefixed(double value, const char* unit, int lowest, int highest) {
  const Prefix* chosen = nullptr;
  for (const Prefix& prefix : prefixes) {
    if (prefix.exponent < lowest || prefix.exponent > highest) {
      continue;
    }
    // The factor lets 999.7 kB, which prints as 1000, become 1.00 MB.
    const double threshold = std::pow(10.0, prefix.exponent) * 0.9995;
    if (chosen == nullptr || std::abs(value) >= threshold) {
      chosen = &prefix;
    }
  }
  if (value == 0) {
    return fmt::format("0{}{}", *unit != '\0' ? " " : "", unit);
  }
  const std::string suffix = std::string(chosen->symbol) + unit;
  return three_digits(value / std::pow(10.0, chosen->exponent)) +
         (suffix.empty() ? "" : " " + suffix);
}

std::string plain(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e6;
  if (whole && std::abs(value) < 1000) {
    return fmt::format("{:.0f}", value);
  }
  return std::abs(value) < 1e6 ? three_digits(value) : prefixed(value, "", 6, 18);
}

}  // namespace

std::string format_quantity(double value, Unit unit) {
  if (!std::isfinite(value) || (unit == Unit::share && !std::isfinite(value * 100))) {
    return "n/a";
  }
  switch (unit) {
    case Unit::none:
    case Unit::text:
    case Unit::count:
      return plain(value);
    case Unit::byte:
      // A count below a kilobyte is exact, and no measurement with three digits.
      return value == std::floor(value) && std::abs(value) < 1000 ? plain(value) + " B"
                                                                  : prefixed(value, "B", 0, 18);
    case Unit::second:
      return prefixed(value, "s", -12, 0);
    case Unit::hertz:
      return prefixed(value, "Hz", 0, 18);
    case Unit::flop:
      return prefixed(value, "FLOP", 0, 18);
    case Unit::byte_per_s:
      return prefixed(value, "B/s", 0, 18);
    case Unit::flop_per_s:
      return prefixed(value, "FLOP/s", 0, 18);
    case Unit::flop_per_byte:
      return three_digits(value) + " FLOP/B";
    case Unit::share:
      return three_digits(value * 100) + " %";
    case Unit::factor:
      return three_digits(value) + "x";
    case Unit::watt:
      return prefixed(value, "W", -3, 6);
    case Unit::joule:
      return prefixed(value, "J", -9, 9);
    case Unit::flop_per_joule:
      return prefixed(value, "FLOP/J", 0, 18);
    case Unit::token_per_s:
      return prefixed(value, "tokens/s", 0, 18);
    case Unit::token_per_joule:
      return prefixed(value, "tokens/J", 0, 18);
  }
  return "n/a";
}

std::string format_quantity(const std::optional<double>& value, Unit unit,
                            const std::string& absent) {
  return value && std::isfinite(*value) ? format_quantity(*value, unit) : absent;
}

std::string format_cell(const Cell& cell, Unit unit) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return *text;
  }
  const auto* number = std::get_if<double>(&cell);
  return number != nullptr ? format_quantity(*number, unit) : "n/a";
}

std::string unit_name(Unit unit) {
  switch (unit) {
    case Unit::text:
      return "";
    case Unit::none:
    case Unit::count:
    case Unit::factor:
      return "1";
    case Unit::byte:
      return "byte";
    case Unit::second:
      return "s";
    case Unit::hertz:
      return "Hz";
    case Unit::flop:
      return "FLOP";
    case Unit::byte_per_s:
      return "byte/s";
    case Unit::flop_per_s:
      return "FLOP/s";
    case Unit::flop_per_byte:
      return "FLOP/byte";
    case Unit::share:
      return "share";
    case Unit::watt:
      return "W";
    case Unit::joule:
      return "J";
    case Unit::flop_per_joule:
      return "FLOP/J";
    case Unit::token_per_s:
      return "token/s";
    case Unit::token_per_joule:
      return "token/J";
  }
  return "";
}

Unit unit_from_name(const std::string& name) {
  static const std::map<std::string, Unit> units = {
      {"share", Unit::share},
      {"byte", Unit::byte},
      {"bytes", Unit::byte},
      {"s", Unit::second},
      {"Hz", Unit::hertz},
      {"FLOP", Unit::flop},
      {"byte/s", Unit::byte_per_s},
      {"FLOP/s", Unit::flop_per_s},
      {"FLOP/byte", Unit::flop_per_byte},
      {"x", Unit::factor},
      {"factor", Unit::factor},
      {"W", Unit::watt},
      {"J", Unit::joule},
      {"FLOP/J", Unit::flop_per_joule},
      {"token/s", Unit::token_per_s},
      {"tokens/s", Unit::token_per_s},
      {"token/J", Unit::token_per_joule},
      {"count", Unit::count},
  };
  const auto found = units.find(name);
  return found == units.end() ? Unit::none : found->second;
}

std::string format_named(double value, const std::string& unit_name) {
  const Unit unit = unit_from_name(unit_name);
  const std::string number = format_quantity(value, unit);
  if (unit != Unit::none || unit_name.empty() || unit_name == "1" || !std::isfinite(value)) {
    return number;
  }
  return number + " " + printable(unit_name);
}

}  // namespace ridgepoint
