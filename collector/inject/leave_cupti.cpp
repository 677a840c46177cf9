#include "collector/inject/leave_cupti.h"

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"
#include "collector/inject/activity.h"
#include "collector/inject/launch_callback.h"

namespace ridgepoint::collector {

Status leave_cupti(const CuptiApi& api, bool records) {
  stop_hearing_calls(api);  // other threads' calls first: they need not meet what follows
  if (records) {
    flush_activity(api, true);
    record_kernels(api, false);
  }
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_DeInitialize, counters);
  api.cuptiProfilerDeInitialize(&counters);
  const auto left = api.cuptiFinalize();
  forget_subscription();
  return cupti_status(api, left, "leaving CUPTI");
}

}  // namespace ridgepoint::collector
