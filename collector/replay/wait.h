// Waiting for the GPU that ends in any case.
#pragma once

#include <chrono>

#include "collector/replay/driver_api.h"

namespace ridgepoint::collector {

enum class Waited { finished, timed_out, failed };

// A stream, an event for waiting of the same context, and how long its work may take.
struct WaitedStream {
  CUstream stream = nullptr;
  CUevent event = nullptr;
  std::chrono::milliseconds patience{};
};

// For everything that was given to the context, or to one stream of it, until now. `event` is used
// for it and must belong to the context. On `failed`, `code` has the driver's answer:
// cuCtxRecordEvent refuses while a stream of the context is being captured.
Waited wait_for_context(const DriverApi& driver, CUctx_st* context, CUevent event,
                        std::chrono::milliseconds patience, CUresult& code);
Waited wait_for_stream(const DriverApi& driver, const WaitedStream& stream, CUresult& code);
// When being late is an error like any other, and which it is.
bool is_late(const Error& error);
Status finish(const DriverApi& driver, const WaitedStream& stream, const char* what);

}  // namespace ridgepoint::collector
