// Numbers as profilers print them, whatever the locale of the machine that printed and of the one
// that reads: "1,234.50", "1.234,50", "1 234,5", "4.2e-07", "nan".
#pragma once

#include <optional>
#include <string_view>

namespace ridgepoint::importing {

enum class NumberStyle {
  point,  // 1,234.5
  comma,  // 1.234,5
};

struct Cell {
  enum class Kind {
    empty,
    number,
    not_a_number,  // nan, inf, n/a: it was asked for and has no value
    text,
  };
  Kind kind = Kind::empty;
  double value = 0;
};

std::string_view trimmed(std::string_view text);

// A number that is followed by instance values, as in "6 (1; 2; 3)", is read without them.
Cell parse_cell(std::string_view text, NumberStyle style);

// The style a cell proves: "1.5" and "1,234.5" the point, "1,50" and "1.234,5" the comma; empty for
// those that fit both, like "1,234".
std::optional<NumberStyle> style_shown_by(std::string_view text);

}  // namespace ridgepoint::importing
