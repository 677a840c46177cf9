#include "collector/replay/wait.h"

#include <cerrno>
#include <thread>

namespace ridgepoint::collector {
namespace {

// Most waits are for some milliseconds of copying; only longer ones are worth a sleep.
constexpr std::chrono::milliseconds spin_time{5};
constexpr std::chrono::microseconds sleep_time{500};

Waited poll(const DriverApi& driver, CUevent event, std::chrono::milliseconds patience,
            CUresult& code) {
  const auto start = std::chrono::steady_clock::now();
  while (code == CUDA_SUCCESS) {
    code = driver.event_query(event);
    if (code == CUDA_SUCCESS) {
      return Waited::finished;
    }
    if (code != CUDA_ERROR_NOT_READY) {
      break;
    }
    code = CUDA_SUCCESS;
    const auto waited = std::chrono::steady_clock::now() - start;
    if (waited > patience) {
      return Waited::timed_out;
    }
    if (waited > spin_time) {
      std::this_thread::sleep_for(sleep_time);
    }
  }
  return Waited::failed;
}

}  // namespace

Waited wait_for_context(const DriverApi& driver, CUctx_st* context, CUevent event,
                        std::chrono::milliseconds patience, CUresult& code) {
  code = driver.context_record_event(context, event);
  return poll(driver, event, patience, code);
}

Waited wait_for_stream(const DriverApi& driver, const WaitedStream& stream, CUresult& code) {
  code = driver.event_record(stream.event, stream.stream);
  return poll(driver, stream.event, stream.patience, code);
}

bool is_late(const Error& error) {
  return error.domain == ErrorDomain::device && error.code == ETIME;
}

Status finish(const DriverApi& driver, const WaitedStream& stream, const char* what) {
  CUresult code = CUDA_SUCCESS;
  if (wait_for_stream(driver, stream, code) == Waited::timed_out) {
    return fail(ErrorDomain::device, what, "it did not end in time",
                "--replay-timeout SECONDS gives it longer", ETIME);
  }
  return driver_status(driver, code, what);
}

}  // namespace ridgepoint::collector
