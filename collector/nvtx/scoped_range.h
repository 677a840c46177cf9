// Names a phase of the program for timeline tools (Nsight Systems). NVTX is header only and costs
// nothing when no tool listens.
#pragma once

#include <nvtx3/nvToolsExt.h>

namespace ridgepoint::collector {

class ScopedRange {
 public:
  explicit ScopedRange(const char* name) { nvtxRangePushA(name); }
  ~ScopedRange() { nvtxRangePop(); }
  ScopedRange(const ScopedRange&) = delete;
  ScopedRange& operator=(const ScopedRange&) = delete;
};

}  // namespace ridgepoint::collector
