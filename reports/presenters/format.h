// Numbers for people: SI prefixes, three significant digits, the unit beside the number. Bytes use
// decimal prefixes (1 GB = 1e9 byte), as bandwidths do; shares and intensities below 0.001 are said
// to be so; sizes of memory on the chip have KiB and MiB (analyzer/core/text.h has the rule). NaN
// and infinity print as "n/a".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/presenters/table.h"

namespace ridgepoint {

// "4.34 GB", "1.87 ms", "612 TFLOP/s", "41.3 %", "12.5x"; "not measured" is the caller's word for
// an empty optional.
std::string format_quantity(double value, Unit unit);
std::string format_quantity(const std::optional<double>& value, Unit unit,
                            const std::string& absent = "n/a");
std::string format_cell(const Cell& cell, Unit unit);  // empty cells give "n/a"
// Of whole numbers: a time in nanoseconds, a count.
std::string format_ns(std::int64_t ns);
std::string format_count(std::int64_t number);
// How the value of an Evidence or QuantityInfo is printed: by its unit, or as a size of memory, for
// which files say "byte" too.
template <class Named>
std::string printed_unit(const Named& one) {
  return one.memory_size ? "memory_size" : one.unit;
}
// Units as Evidence and TargetResult name them: "share", "byte", "s", "FLOP/byte" ...
Unit unit_from_name(const std::string& name);
// The other way round, for files: SI units without prefix, "1" for plain numbers, empty for texts.
std::string unit_name(Unit unit);
// For a unit given by name; a name that unit_from_name does not know follows the number as it is.
std::string format_named(double value, const std::string& unit_name);
// Values of one quantity that stand side by side, a value and its limit: in one prefix, so
// that they can be compared by eye: "0.967 ms" and "1.00 ms". Each has three significant digits of
// its own, as in a column of such values; only within 1 % of one another all have the decimals of
// the least: "9.96 %" and "10.04 %". An empty optional gives an empty text.
std::vector<std::string> format_alike(const std::vector<std::optional<double>>& values,
                                      const std::string& unit_name);
// The same for a value that was judged by a limit, the first two: where they differ and would be
// printed alike they have more decimals, so that no value "is 17.3 GB, must be at most 17.3 GB" and
// failed. Nothing finer than a thousandth of the last digit is shown.
std::vector<std::string> format_judged(const std::vector<std::optional<double>>& values,
                                       const std::string& unit_name);

}  // namespace ridgepoint
