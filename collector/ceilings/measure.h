// `ridgepoint ceilings`: runs the micro-benchmarks of kernels/ceilings on one device. No CUDA type
// here.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint::collector {

struct CeilingRunOptions {
  int device = 0;
  bool quick = false;        // shorter and fewer repeats
  std::string command_line;  // recorded in the session as typed
};

using CeilingProgress =
    std::function<void(const std::string& probe, std::size_t done, std::size_t total)>;

struct CeilingOutcome {
  Session session;   // one device with its measured ceilings, no launches
  std::string uuid;  // of that device, for store.h
};

// A probe that this device or build has no instruction for, or no memory, is named in an issue.
Result<CeilingOutcome> measure_ceilings(const CeilingRunOptions& options,
                                        const CeilingProgress& progress);

}  // namespace ridgepoint::collector
