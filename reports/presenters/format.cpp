#include "reports/presenters/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analyzer/core/grouped_digits.h"
#include "analyzer/core/text.h"

namespace ridgepoint {
namespace {

// "4,096.5": grouped in front of the point, so many digits behind it.
std::string fixed_digits(double value, int decimals) {
  const std::string digits = grouped_digits(fmt::format("{:.{}f}", std::abs(value), decimals));
  return (value < 0 ? "-" : "") + digits;
}

// Behind the point for three significant digits: 4.34, 41.3, 612. Larger numbers, which only units
// without prefix reach, are whole: 4,096.
int three_digit_decimals(double value) {
  const double magnitude = std::abs(value);
  if (magnitude == 0 || magnitude >= 999.5) {
    return 0;
  }
  int decimals = 2 - static_cast<int>(std::floor(std::log10(magnitude)));
  // 9.996 rounds up to four digits, 10.00: one decimal less.
  if (magnitude + 0.5 * std::pow(10.0, -decimals) >= std::pow(10.0, 3 - decimals)) {
    --decimals;
  }
  return std::clamp(decimals, 0, 12);
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

// What a number is divided by, and what stands behind it then: " GB" and 1e9.
struct Scale {
  double divisor = 1;
  std::string suffix;
};

// With the prefix, within [lowest, highest], that leaves 1 to 999 before the point.
Scale prefixed(double value, const std::string& unit, int lowest, int highest) {
  Prefix chosen = {0, ""};
  if (value != 0) {
    bool any = false;
    for (const Prefix& prefix : prefixes) {
      if (prefix.exponent < lowest || prefix.exponent > highest) {
        continue;
      }
      // The factor lets 999.7 kB, which prints as 1000, become 1.00 MB.
      const double threshold = std::pow(10.0, prefix.exponent) * 0.9995;
      if (!any || std::abs(value) >= threshold) {
        chosen = prefix;
        any = true;
      }
    }
  }
  const std::string suffix = chosen.symbol + unit;
  return {std::pow(10.0, chosen.exponent), suffix.empty() ? "" : " " + suffix};
}

Scale scale_of(double value, Unit unit) {
  switch (unit) {
    case Unit::none:
    case Unit::text:
    case Unit::count:
      return std::abs(value) < 1e6 ? Scale{} : prefixed(value, "", 6, 18);
    case Unit::byte:
    case Unit::memory_size:  // has no decimal prefix: see format_quantity()
      return prefixed(value, "B", 0, 18);
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
      return {1, " FLOP/B"};
    case Unit::share:
      return {0.01, " %"};
    case Unit::factor:
      return {1, "x"};
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
  return {};
}

// Units without prefix: smaller numbers are next to nothing, and their digits noise.
constexpr double least_shown = 0.001;

constexpr double largest_memory = 1e18;  // whole bytes of it fit std::int64_t

bool printable_number(double value, Unit unit) {
  return std::isfinite(value) && (unit != Unit::share || std::isfinite(value * 100));
}

// Counts below a thousand, of bytes too, are exact and no measurements with three digits.
bool exact_count(double value, Unit unit) {
  return (unit == Unit::none || unit == Unit::text || unit == Unit::count || unit == Unit::byte) &&
         value == std::floor(value) && std::abs(value) < 1000;
}

// What unit_from_name does not know follows the number as it is.
std::string unknown_unit(const std::string& unit_name) {
  return unit_from_name(unit_name) != Unit::none || unit_name.empty() || unit_name == "1"
             ? ""
             : " " + printable(unit_name);
}

}  // namespace

std::string format_quantity(double value, Unit unit) {
  if (!printable_number(value, unit)) {
    return "n/a";
  }
  if (unit == Unit::memory_size && std::abs(value) < largest_memory) {
    return memory_size_text(std::llround(value));
  }
  const Scale scale = scale_of(value, unit);
  const double scaled = value / scale.divisor;
  if (scaled > 0 && scaled < least_shown && (unit == Unit::share || unit == Unit::flop_per_byte)) {
    return "< " + fixed_digits(least_shown, 3) + scale.suffix;
  }
  return fixed_digits(scaled, exact_count(value, unit) ? 0 : three_digit_decimals(scaled)) +
         scale.suffix;
}

std::string format_quantity(const std::optional<double>& value, Unit unit,
                            const std::string& absent) {
  return value && std::isfinite(*value) ? format_quantity(*value, unit) : absent;
}

std::string format_ns(std::int64_t ns) {
  return format_quantity(static_cast<double>(ns) * 1e-9, Unit::second);
}

std::string format_count(std::int64_t number) {
  return format_quantity(static_cast<double>(number), Unit::count);
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
    case Unit::memory_size:
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
      {"memory_size", Unit::memory_size},
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
  const std::string number = format_quantity(value, unit_from_name(unit_name));
  return std::isfinite(value) ? number + unknown_unit(unit_name) : number;
}

namespace {

// Two digits of KiB tell sizes apart that five bytes part; where they do not, exact ones do.
std::vector<std::string> memory_sizes(const std::vector<std::optional<double>>& values,
                                      bool exact) {
  std::vector<std::string> texts;
  for (const std::optional<double>& value : values) {
    if (!value) {
      texts.emplace_back();
    } else if (exact && printable_number(*value, Unit::memory_size)) {
      texts.push_back(fixed_digits(*value, 0) + " bytes");
    } else {
      texts.push_back(format_quantity(*value, Unit::memory_size));
    }
  }
  return texts;
}

std::vector<std::string> format_together(const std::vector<std::optional<double>>& values,
                                         const std::string& unit_name, int more_decimals) {
  constexpr double one_prefix = 1000;     // further apart, zeros would hide the digits
  constexpr double same_decimals = 1.01;  // nearer, three digits hide how far they are apart
  const Unit unit = unit_from_name(unit_name);
  if (unit == Unit::memory_size) {
    return memory_sizes(values, more_decimals > 0);
  }
  std::vector<double> known;  // that have a magnitude
  bool exact = true;
  for (const std::optional<double>& value : values) {
    if (value && printable_number(*value, unit) && *value != 0) {
      known.push_back(*value);
      exact = exact && exact_count(*value, unit);
    }
  }
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const auto [least, most] = std::minmax_element(known.begin(), known.end(), smaller);
  const double apart = known.empty() ? 1 : std::abs(*most) / std::abs(*least);
  const Scale scale = known.empty() ? Scale{} : scale_of(*most, unit);
  std::optional<int> decimals;
  if (!exact && (apart < same_decimals || more_decimals > 0)) {
    decimals = three_digit_decimals(*least / scale.divisor) + more_decimals;
  }
  std::vector<std::string> texts;
  for (const std::optional<double>& value : values) {
    if (!value) {
      texts.emplace_back();
    } else if (exact || apart >= one_prefix || *value == 0 || !printable_number(*value, unit)) {
      texts.push_back(format_named(*value, unit_name));
    } else {
      const double scaled = *value / scale.divisor;
      texts.push_back(fixed_digits(scaled, decimals.value_or(three_digit_decimals(scaled))) +
                      scale.suffix + unknown_unit(unit_name));
    }
  }
  return texts;
}

}  // namespace

std::vector<std::string> format_alike(const std::vector<std::optional<double>>& values,
                                      const std::string& unit_name) {
  return format_together(values, unit_name, 0);
}

std::vector<std::string> format_judged(const std::vector<std::optional<double>>& values,
                                       const std::string& unit_name) {
  const std::vector<std::string> usual = format_together(values, unit_name, 0);
  if (values.size() < 2 || values[0] == values[1] || usual[0] != usual[1]) {
    return usual;
  }
  constexpr int most_decimals = 3;
  for (int more = 1; more <= most_decimals; ++more) {
    std::vector<std::string> finer = format_together(values, unit_name, more);
    if (finer[0] != finer[1]) {
      return finer;
    }
  }
  return usual;
}

}  // namespace ridgepoint
