// What a run says of the plan that was told before it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/session/session.h"
#include "collector/profile/pass_plan.h"

namespace ridgepoint::collector {

// In words what the run of `session` did otherwise than its chip's plan says; empty where they
// agree, or nothing was counted by which to tell.
std::optional<std::string> what_differs(const std::vector<PassPlan>& plans, const Session& session);

}  // namespace ridgepoint::collector
