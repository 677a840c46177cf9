// What the device's own word on its clocks means for the times that were taken meanwhile.
#pragma once

#include <vector>

#include "analyzer/session/session.h"

namespace ridgepoint {

// Of every phase in which times were taken: "clocks.throttled" when heat or the board's protection
// slowed the device down, "clocks.power_capped" when its power limit held the clocks down (its
// normal way to run heavy work, so that a verdict stands), "clocks.moved" when the SM clock moved
// by more than clock_spread_limit (checks.h) while the device was busy. Phases that measure energy
// alone may run into the power limit: there it belongs to the result.
std::vector<Issue> check_watched_clocks(const Session& session);

}  // namespace ridgepoint
