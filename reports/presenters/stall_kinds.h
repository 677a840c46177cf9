// Stall reasons by what the warps wait for, so that every front end colours them alike and the
// memory stall ratio is seen as one block.
#pragma once

#include <array>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

enum class StallKind { memory, other_memory, math, barrier, issue, other };
inline constexpr std::array<StallKind, 6> stall_kinds = {StallKind::memory, StallKind::other_memory,
                                                         StallKind::math,   StallKind::barrier,
                                                         StallKind::issue,  StallKind::other};

StallKind stall_kind(const StallShare& stall);
const char* label(StallKind kind);  // for people
// By kind in the order above, then the largest first, so that bars can be compared from the left.
std::vector<StallShare> by_kind(std::vector<StallShare> stalls);

}  // namespace ridgepoint
