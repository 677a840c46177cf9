// The NVTX columns of an export.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/session/session.h"

namespace ridgepoint::importing {

// Appends the ranges of a Push/Pop cell, outermost first, and returns the index of the innermost,
// or no_index when there is none. The cell reads: thread, then for each range
// "domain:name:payload type:payload:colour type:colour:message type:message" in quotes. A name may
// hold colons itself; the six fields behind it may not. The export gives no times: they stay 0.
std::int64_t append_ranges(std::string_view cell, std::vector<NvtxRange>& ranges);

}  // namespace ridgepoint::importing
