#include "reports/presenters/stall_kinds.h"

#include <algorithm>

namespace ridgepoint {

StallKind stall_kind(const StallShare& stall) {
  if (stall.memory) {
    return stall.reason == "long_scoreboard" ? StallKind::memory : StallKind::other_memory;
  }
  if (stall.reason == "math_pipe_throttle" || stall.reason == "gmma") {
    return StallKind::math;
  }
  if (stall.reason == "barrier" || stall.reason == "membar") {
    return StallKind::barrier;
  }
  return stall.reason == "selected" || stall.reason == "not_selected" ? StallKind::issue
                                                                      : StallKind::other;
}

const char* label(StallKind kind) {
  switch (kind) {
    case StallKind::memory:
      return "Long scoreboard (HBM, L2, L1)";
    case StallKind::other_memory:
      return "Other memory";
    case StallKind::math:
      return "Arithmetic pipes and WGMMA";
    case StallKind::barrier:
      return "Barriers";
    case StallKind::issue:
      return "Issuing, or ready to";
    case StallKind::other:
      return "Other";
  }
  return "";
}

std::vector<StallShare> by_kind(std::vector<StallShare> stalls) {
  std::stable_sort(stalls.begin(), stalls.end(), [](const StallShare& a, const StallShare& b) {
    return stall_kind(a) != stall_kind(b) ? stall_kind(a) < stall_kind(b) : a.share > b.share;
  });
  return stalls;
}

}  // namespace ridgepoint
