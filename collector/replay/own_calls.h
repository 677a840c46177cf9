// While one of these lives, what this thread asks of the driver is ours and not the program's: the
// callbacks it causes are not looked at, and it does not count as unsafe for a stream capture that
// the program may have under way.
#pragma once

#include "collector/replay/driver_api.h"

namespace ridgepoint::collector {

// How deep this thread is in calls of which only the outermost is the program's.
inline thread_local int call_depth = 0;

class OwnCalls {
 public:
  explicit OwnCalls(const DriverApi& driver) : driver_(driver) {
    ++call_depth;
    exchanged_ = driver_.capture_mode(&mode_) == CUDA_SUCCESS;
  }
  ~OwnCalls() {
    if (exchanged_) {
      driver_.capture_mode(&mode_);
    }
    --call_depth;
  }
  OwnCalls(const OwnCalls&) = delete;
  OwnCalls& operator=(const OwnCalls&) = delete;

 private:
  const DriverApi& driver_;
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;  // then the one before
  bool exchanged_ = false;
};

}  // namespace ridgepoint::collector
