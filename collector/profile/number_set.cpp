#include "collector/profile/number_set.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

namespace ridgepoint::collector {
namespace {

constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= 1 ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<NumberSet> NumberSet::parse(const std::string& text, const std::string& what) {
  NumberSet set;
  std::string_view rest = text;
  while (true) {
    const std::string_view one = rest.substr(0, rest.find(','));
    const std::size_t dash = one.find('-');
    const auto first = number_of(one.substr(0, dash));
    auto last = first;
    if (dash != std::string_view::npos) {
      last = dash + 1 == one.size() ? std::optional(no_end) : number_of(one.substr(dash + 1));
    }
    if (!first || !last || *last < *first) {
      return fail(ErrorDomain::usage, "reading " + what,
                  "'" + std::string(one) + "' is no number from 1, nor a range of them",
                  "for example 1,5-7,10-");
    }
    set.ranges_.emplace_back(*first, *last);
    if (one.size() == rest.size()) {
      return set;
    }
    rest.remove_prefix(one.size() + 1);
  }
}

bool NumberSet::has(std::int64_t number) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const auto& range) {
    return range.first <= number && number <= range.second;
  });
}

}  // namespace ridgepoint::collector
