// JSON that people write: budgets, descriptions of chips and GPUs. Nesting is bounded before
// anything is built, and a name given twice is an error, since readers disagree on which value
// counts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "analyzer/core/error.h"

namespace ridgepoint {

// Fails in the input domain under the title `what`, naming line and column where the parser knows
// them. `hint` goes with every failure.
Result<nlohmann::json> parse_json(std::string_view text, const std::string& what, int nesting_limit,
                                  const std::string& hint = {});

// The library's message without its own codes.
std::string plain_message(const nlohmann::json::exception& error);

}  // namespace ridgepoint
