// The price option, the same in every command that reports.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "cli/number_range.h"

namespace ridgepoint::cli {

inline void add_price_option(CLI::App& command, std::optional<double>& price_per_hour) {
  command
      .add_option("--price-per-hour", price_per_hour,
                  "Price of a GPU hour, for the cost of a million tokens")
      ->check(positive_number());
}

}  // namespace ridgepoint::cli
