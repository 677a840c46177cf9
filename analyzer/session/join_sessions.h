// Several sessions of one run, one a process, as one.
#pragma once

#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

// Launches and ranges follow one another in the order given, and so do devices, those left out that
// an earlier session has (shared_devices.h): the first device of one process need not be that of
// another. Of a shared device power is kept once, and each process' streams get numbers of their
// own. Equal kernels are kept once. Fails (input) on sessions of an
// attention workload, and on such that were measured in different ways, whose columns would not
// compare.
Result<Session> join_sessions(std::vector<Session> sessions);

}  // namespace ridgepoint
