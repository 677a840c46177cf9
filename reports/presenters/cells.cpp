#include "reports/presenters/cells.h"

#include <cmath>

namespace ridgepoint {

Cell number_cell(const std::optional<double>& value) {
  Cell cell;
  if (value && std::isfinite(*value)) {
    cell = *value;
  }
  return cell;
}

Cell count_cell(const std::optional<std::int64_t>& value) {
  Cell cell;
  if (value) {
    cell = static_cast<double>(*value);
  }
  return cell;
}

Cell text_cell(const std::string& text) {
  Cell cell;
  if (!text.empty()) {
    cell = printable(text);
  }
  return cell;
}

}  // namespace ridgepoint
