#include "analyzer/import/unit.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "analyzer/import/number.h"

namespace ridgepoint::importing {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  return result;
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Seconds in a unit of time.
std::optional<double> seconds_in(std::string_view unit) {
  constexpr std::array<std::string_view, 4> names = {"s", "sec", "second", "seconds"};
  if (contains(names, unit)) {
    return 1;
  }
  if (unit.empty() || !contains(names, unit.substr(1))) {
    return unit == "min" ? std::optional<double>(60) : std::nullopt;
  }
  switch (unit[0]) {
    case 'm':
      return 1e-3;
    case 'u':
      return 1e-6;
    case 'n':
      return 1e-9;
    case 'p':
      return 1e-12;
    default:
      return std::nullopt;
  }
}

// What is counted, in any number; plural and singular both occur.
bool is_countable(std::string_view name) {
  constexpr std::array<std::string_view, 25> names = {
      "",        "%",         "byte",        "b",        "hz",      "bit",    "inst",
      "sector",  "cycle",     "warp",        "thread",   "request", "block",  "branch",
      "branche", "pass",      "cluster",     "register", "sm",      "sample", "op",
      "flop",    "wavefront", "instruction", "ratio"};
  return contains(names, name) ||
         (!name.empty() && name.back() == 's' && contains(names, name.substr(0, name.size() - 1)));
}

std::optional<double> countable_in(const std::string& unit) {
  if (is_countable(unit)) {
    return 1;
  }
  const bool binary = unit.size() > 2 && unit[1] == 'i' && is_countable(unit.substr(2));
  if (unit.empty() || (!binary && !is_countable(unit.substr(1)))) {
    return std::nullopt;
  }
  const double step = binary ? 1024 : 1000;
  switch (unit[0]) {
    case 'k':
      return step;
    case 'm':
      return step * step;
    case 'g':
      return step * step * step;
    case 't':
      return step * step * step * step;
    case 'p':
      return step * step * step * step * step;
    default:
      return std::nullopt;
  }
}

}  // namespace

UnitScale unit_scale(std::string_view unit) {
  const std::string text = lower(trimmed(unit));
  const std::size_t slash = text.find('/');
  const std::string above = text.substr(0, slash);
  const std::string below = slash == std::string::npos ? std::string() : text.substr(slash + 1);
  constexpr double nanoseconds_a_second = 1e9;  // CUPTI gives times in nanoseconds
  const std::optional<double> time = seconds_in(above);
  const std::optional<double> count =
      time ? std::optional<double>(*time * nanoseconds_a_second) : countable_in(above);
  const std::optional<double> per = seconds_in(below) ? seconds_in(below) : countable_in(below);
  if (!count || !per) {
    return {1, false};
  }
  return {*count / *per, true};
}

}  // namespace ridgepoint::importing
