// --replay application and range: the program ran once a pass, each time with other counters. Puts
// the runs together.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/session/session.h"
#include "collector/profile/seal.h"

namespace ridgepoint::collector {

// Takes the counters of a later run into the session of the first. The k-th launch of a kernel with
// a grid, block and cluster on a device is the k-th such launch of the other run. Launches without
// counterpart lack the counters of that run, and an issue says how many there are. `run` counts
// from 2, `runs` is how many there are.
void add_run(Session& first, const Session& later, std::size_t run, std::size_t runs);

// The place among `later` of the process that did what `first` did: the one with the same output
// name (and so, with %r in it, of the same rank), else the one that comes at the same place by
// process id. One entry a session of `first`; later.size() when there is none.
std::vector<std::size_t> match_processes(const std::vector<LeftSession>& first,
                                         const std::vector<LeftSession>& later);

}  // namespace ridgepoint::collector
