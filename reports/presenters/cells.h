// Cells from the analysis' optionals. Texts come from outside and lose their control characters
// here, once for all front ends.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/core/text.h"
#include "reports/presenters/table.h"

namespace ridgepoint {

inline Cell number_cell(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Cell(*value) : Cell();
}
inline Cell count_cell(const std::optional<std::int64_t>& value) {
  return value ? Cell(static_cast<double>(*value)) : Cell();
}
inline Cell text_cell(const std::string& text) {
  return text.empty() ? Cell() : Cell(printable(text));
}

}  // namespace ridgepoint
