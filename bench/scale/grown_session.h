// A session of any size, grown from a real recording: its kernels, launches and counters repeated
// with jitter. For measuring the tool, not a GPU: nobody measured these launches.
#pragma once

#include <cstddef>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint::bench {

struct GrownSize {
  std::size_t launches = 5;  // the recording's own come first, with its workload
  std::size_t kernels = 5;   // distinct ones, each under a name of its own
};

// Ten counters a launch: time, traffic of three levels, FLOP, clock and four shares. The jitter is
// the same each time.
Result<Session> grown_session(const GrownSize& size);

}  // namespace ridgepoint::bench
