// What tokens cost at a price per GPU hour, in the currency of that price.
#pragma once

#include <optional>

namespace ridgepoint {

inline std::optional<double> cost_per_million_tokens(const std::optional<double>& tokens_per_s,
                                                     const std::optional<double>& price_per_hour) {
  constexpr double seconds_per_hour = 3600;
  if (!tokens_per_s || *tokens_per_s <= 0 || !price_per_hour) {
    return std::nullopt;
  }
  return *price_per_hour / seconds_per_hour / *tokens_per_s * 1e6;
}

}  // namespace ridgepoint
