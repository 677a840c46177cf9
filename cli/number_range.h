// Checks of numbers on the command line. CLI11's own Range lets NaN through (it is neither below
// nor above) and prints three hundred digits of a bound that is the largest double.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace ridgepoint::cli {

// A finite number from `low` to `high`, both included.
CLI::Validator number_in(double low, double high);
// A finite number above 0 and at most `high`.
CLI::Validator positive_number(double high = 1e15);
// A whole number in decimal digits from `low` to `high`. A leading zero is refused: C++ would read
// 010 as eight.
CLI::Validator whole_number_in(std::int64_t low, std::int64_t high);

}  // namespace ridgepoint::cli
