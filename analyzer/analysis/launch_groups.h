// Which launches are shown as one kernel: those of one function within one variant and role, or,
// outside the variants of a workload, all launches of one function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/session/session.h"

namespace ridgepoint {

struct LaunchGroup {
  std::uint32_t kernel = 0;  // index into Session::kernels
  std::string variant;
  std::string role;
  KernelTileInfo tile;  // of the first launch; role empty when unknown
  std::vector<std::uint32_t> launches;
};

// Variants in the session's order, each in launch order, then the launches that belong to no
// variant in order of appearance.
std::vector<LaunchGroup> group_launches(const Session& session);

}  // namespace ridgepoint
