// Energy, from the device's running total. The total moves in steps (on an H200 some tens of
// milliseconds apart), so that power is energy over time between the first and the last step that
// were seen in a phase. The times of the two are known to one sampling period each, and with fewer
// than `fewest_energy_updates` steps the phase is called too short and has no energy.
#pragma once

#include "analyzer/analysis/analysis.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

inline constexpr std::int64_t fewest_energy_updates = 10;

// Fills Analysis::power and what the variants say of power and energy.
void fill_power(Analysis& analysis, const Session& session);

}  // namespace ridgepoint
