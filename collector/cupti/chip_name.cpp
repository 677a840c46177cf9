#include "collector/cupti/chip_name.h"

#include <fmt/format.h>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"

namespace ridgepoint::collector {

Result<std::string> chip_name(const CuptiApi& api, int device) {
  // Asked for before this, the name crashes CUPTI 13.0.
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Initialize, initialize);
  if (const auto code = api.cuptiProfilerInitialize(&initialize); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "opening CUPTI's profiler");
  }
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Device_GetChipName, params);
  params.deviceIndex = static_cast<std::size_t>(device);
  if (const auto code = api.cuptiDeviceGetChipName(&params); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "asking CUPTI for the chip's name");
  }
  if (params.pChipName == nullptr || *params.pChipName == '\0') {
    return fail(ErrorDomain::device, "asking CUPTI for the chip's name",
                fmt::format("it has none for GPU {}", device),
                "a timeline needs no counters: --counters none");
  }
  return std::string(params.pChipName);
}

}  // namespace ridgepoint::collector
