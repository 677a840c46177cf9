// Where the roofs meet: the intensity from which a kernel is bound by arithmetic and no longer by a
// memory level (Williams, Waterman and Patterson 2009, "Roofline").
#pragma once

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// Of a compute ceiling and each level, FLOP/byte by the theoretical roofs; empty for a bandwidth,
// and where either roof is not known.
inline PerLevel<std::optional<double>> ridge_points(const Analysis& analysis,
                                                    const Ceiling& ceiling) {
  PerLevel<std::optional<double>> points;
  if (ceiling.kind != CeilingKind::compute || !ceiling.theoretical) {
    return points;
  }
  for (const MemoryLevel level : memory_levels) {
    const Ceiling* roof = analysis.ceiling(key(level));
    if (roof != nullptr && roof->theoretical && *roof->theoretical > 0) {
      points[level] = *ceiling.theoretical / *roof->theoretical;
    }
  }
  return points;
}

}  // namespace ridgepoint
