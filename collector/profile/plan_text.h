// What a run is going to do, for people, before it does it.
#pragma once

#include <string>

#include "analyzer/core/error.h"
#include "collector/profile/pass_plan.h"
#include "collector/profile/profile.h"

namespace ridgepoint::collector {

// Counters, passes, what runs how often, what is saved, what gets one pass, and which launches.
std::string plan_text(const PassPlan& plan, const ProfileOptions& options);

// Tells the plan of each chip of this machine, or what is sampled over time. Nothing where no GPU
// answers: the program may still bring its own. Fails when the counters can be had on none of the
// chips.
Status tell_plans(const ProfileOptions& options);

}  // namespace ridgepoint::collector
