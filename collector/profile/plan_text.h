// What a run is going to do, for people, before it does it.
#pragma once

#include <optional>
#include <string>

#include "analyzer/core/error.h"
#include "collector/nvml/nvml_library.h"
#include "collector/profile/pass_plan.h"
#include "collector/profile/profile.h"

namespace ridgepoint::collector {

// Counters, passes, what runs how often, what is saved, what gets one pass, and which launches.
std::string plan_text(const PassPlan& plan, const ProfileOptions& options);

// Tells the plan of each chip of this machine, or what is sampled over time. Nothing where no GPU
// answers: the program may still bring its own. Fails when the counters can be had on none of the
// chips. Where NVML had to be asked which GPUs these are, it is left open in `nvml`.
Status tell_plans(const ProfileOptions& options, std::optional<Nvml>& nvml);

}  // namespace ridgepoint::collector
