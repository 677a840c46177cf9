#include "collector/inject/context_idle.h"

#include "collector/replay/own_calls.h"
#include "collector/replay/wait.h"

namespace ridgepoint::collector {

bool ContextIdle::wait(CUctx_st* context, std::chrono::milliseconds patience) {
  const Result<const DriverApi*> driver = loaded_driver();
  if (!driver) {
    return true;
  }
  const OwnCalls own(**driver);
  if (event_ == nullptr &&
      (*driver)->event_create(&event_, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) {
    event_ = nullptr;
    return true;
  }
  CUresult code = CUDA_SUCCESS;
  const Waited waited = wait_for_context(**driver, context, event_,
                                         in_vain_ ? std::chrono::milliseconds(0) : patience, code);
  in_vain_ = waited == Waited::timed_out;
  return !in_vain_;
}

}  // namespace ridgepoint::collector
