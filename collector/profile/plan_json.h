// Plans of passes in a file, which anybody may have written: what cannot be a plan is none.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "collector/profile/pass_plan.h"

namespace ridgepoint::collector {

nlohmann::json plans_to_json(const std::vector<PassPlan>& plans);

// Empty where one of them is no plan that CUPTI could have made: a number that is out of range, a
// name that is no name, a chip twice.
std::optional<std::vector<PassPlan>> plans_of_json(const nlohmann::json& json);

}  // namespace ridgepoint::collector
