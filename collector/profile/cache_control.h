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
// How L2 came to hold nothing of the program (collector/replay/cold_l2.h).
enum class EmptyL2 {
  not_known,    // before anything was run again
  invalidated,  // written back and invalidated, as Nsight Compute does
  filled,       // with clean lines of another buffer
};

// For a session's policy, and for the plan before there is one.
std::string cache_control_text(CacheControl control, EmptyL2 l2);

}  // namespace ridgepoint::collector
