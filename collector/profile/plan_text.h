// What a run is going to do, for people, before it does it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "collector/nvml/nvml_library.h"
#include "collector/profile/pass_plan.h"
#include "collector/profile/plan_cache.h"
#include "collector/profile/profile.h"

namespace ridgepoint::collector {

// Counters, passes, what runs how often, what is saved, what gets one pass, and which launches.
std::string plan_text(const PassPlan& plan, const ProfileOptions& options);

struct ToldPlans {
  std::vector<PassPlan> plans;  // one a chip
  // Where they were kept from an earlier run: the run may prove them wrong (plan_proof.h).
  std::optional<PlanCache> kept;
  std::string key;
};

// Tells the plan of each chip of this machine, or what is sampled over time. Nothing where no GPU
// answers, since the program may still bring its own, nor of a chip that CUPTI does not know, which
// the run itself will say. Fails when the counters can be had on none of the chips. Where NVML had
// to be asked which GPUs these are, it is left open in `nvml`.
Result<ToldPlans> tell_plans(const ProfileOptions& options, std::optional<Nvml>& nvml);

}  // namespace ridgepoint::collector
