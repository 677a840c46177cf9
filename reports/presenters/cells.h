// Cells from the analysis' optionals. Texts come from outside and lose their control characters
// here, once for all front ends. Out of line: inlined, std::variant's moves make GCC 12 warn of
// uninitialised strings that are never read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/core/text.h"
#include "reports/presenters/table.h"

namespace ridgepoint {

Cell number_cell(const std::optional<double>& value);
Cell count_cell(const std::optional<std::int64_t>& value);
Cell text_cell(const std::string& text);  // an empty text gives an empty cell

}  // namespace ridgepoint
