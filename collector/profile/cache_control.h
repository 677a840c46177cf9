// The state of the caches in which a kernel is counted.
#pragma once

#include <optional>
#include <string>

namespace ridgepoint::collector {

enum class CacheControl {
  flush,  // nothing of the program in L2, nor its code in a cache, as Nsight Compute does
  none,   // the program's memory in L2, as far as it goes, and no line of it dirty
  warm,   // what a run of the same kernel leaves
};

// "flush", "none", "warm"; empty for others.
std::optional<CacheControl> cache_control_of(const std::string& name);
// For a session's policy.
std::string cache_control_text(CacheControl control);

}  // namespace ridgepoint::collector
