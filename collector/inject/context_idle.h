// Whether all that was given to a CUDA context has ended. What counts a launch waits for that, and
// the GPU may be waiting for a launch on another GPU that this very thread makes next: so nobody
// waits for ever, and after one wait in vain nobody waits again before the context was found idle.
//
// For one user at a time. Its event goes with the context.
#pragma once

#include <chrono>

#include "collector/replay/driver_api.h"

namespace ridgepoint::collector {

class ContextIdle {
 public:
  // With the context current. True as well when the driver cannot say: in a capture, for example.
  bool wait(CUctx_st* context, std::chrono::milliseconds patience);

 private:
  CUevent event_ = nullptr;
  bool in_vain_ = false;
};

}  // namespace ridgepoint::collector
