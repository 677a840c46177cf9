#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analyzer/session/session.h"
#include "analyzer/timeline/timeline.h"

namespace ridgepoint {

// `kernel_of_launch` has the index into Analysis::kernels of each launch. Null where the session
// has no timeline: nothing has a beginning and an end, as where counters were collected, or the
// launches are those of a reference workload, whose runs were made one by one for measuring.
std::shared_ptr<const Timeline> analyse_timeline(
    const Session& session, const std::vector<std::uint32_t>& kernel_of_launch);

}  // namespace ridgepoint
