// Several sessions of one run, one a process, as one.
#pragma once

#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

// Devices, launches and ranges follow one another in the order given: the first device of one
// process need not be that of another. Equal kernels are kept once. Fails (input) on sessions of an
// attention workload, and on such that were measured in different ways, whose columns would not
// compare.
Result<Session> join_sessions(std::vector<Session> sessions);

}  // namespace ridgepoint
