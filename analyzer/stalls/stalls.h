// What warps waited for, from program-counter samples or, where there are none, from the stall
// counters.
#pragma once

#include <string>

#include "analyzer/analysis/analysis.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

// The reasons that mean waiting for memory, and make up the memory stall ratio: long_scoreboard
// (global, local, texture loads), short_scoreboard (shared memory, MUFU), lg_throttle, mio_throttle
// and tex_throttle (full queues), drain (stores at exit).
bool is_memory_stall(const std::string& reason);

// Fills stalls, stall_samples and memory_stall_ratio. The denominator is every sample of the
// kernel, those in the states `selected` (issuing) and `not_selected` (ready, another warp issued)
// included: the shares add up to 1. Samples belong to a kernel, not to a launch, so that two
// variants using one kernel share them. Without samples the shares are warp cycles stalled / warp
// cycles resident (the quantities stall_* and warp_cycles_active), and stall_samples stays 0.
void fill_stalls(KernelAnalysis& kernel, const Session& session);

}  // namespace ridgepoint
