// PC sampling of the fake CUPTI: what was sampled comes two instructions a call, and what is left
// when sampling is switched off goes into the buffer of the configuration. FAKE_CUPTI_SAMPLING
// gives the code with which it refuses to be switched on.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "collector/cupti/cupti_api.h"
#include "tests/collector/inject/fake_gpu.h"

#pragma GCC visibility push(default)

using ridgepoint::test::fake_gpu;
using ridgepoint::test::fake_setting;

namespace {

constexpr const char* reasons[] = {"smsp__pcsamp_sample_count",
                                   "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
                                   "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued",
                                   "smsp__pcsamp_warps_issue_stalled_wait"};

int device_of(CUcontext context) {
  std::uint32_t device = 0;
  cuptiGetDeviceId(context, &device);
  return static_cast<int>(device);
}

CUpti_PCSamplingData*& configured(int device) {
  static std::map<int, CUpti_PCSamplingData*> buffers;
  return buffers[device];
}

void move_samples(int device, CUpti_PCSamplingData& to, std::size_t most) {
  auto& samples = fake_gpu().samples[device];
  to.totalNumPcs = std::min({samples.size(), most, to.collectNumPcs});
  to.totalSamples = 0;
  for (std::size_t i = 0; i < to.totalNumPcs; ++i) {
    to.pPcData[i].functionName = strdup(samples[i].function);
    to.pPcData[i].cubinCrc = fake_gpu().cubin_crc;
    to.pPcData[i].pcOffset = samples[i].offset;
    to.pPcData[i].stallReasonCount = 1;
    to.pPcData[i].stallReason[0] = {samples[i].reason, samples[i].count};
    to.totalSamples += samples[i].count;
  }
  samples.erase(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(to.totalNumPcs));
  to.remainingNumPcs = samples.size();
}

}  // namespace

extern "C" {

CUptiResult cuptiPCSamplingEnable(CUpti_PCSamplingEnableParams*) {
  const auto code = static_cast<CUptiResult>(fake_setting("FAKE_CUPTI_SAMPLING", CUPTI_SUCCESS));
  fake_gpu().sampling = code == CUPTI_SUCCESS;
  return code;
}
CUptiResult cuptiPCSamplingDisable(CUpti_PCSamplingDisableParams* p) {
  const int device = device_of(p->ctx);
  const std::lock_guard<std::mutex> lock(fake_gpu().mutex);
  fake_gpu().sampling = false;
  if (CUpti_PCSamplingData* buffer = configured(device); buffer != nullptr) {
    move_samples(device, *buffer, buffer->collectNumPcs);
  }
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPCSamplingStart(CUpti_PCSamplingStartParams*) {
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPCSamplingStop(CUpti_PCSamplingStopParams*) {
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPCSamplingGetConfigurationAttribute(CUpti_PCSamplingConfigurationInfoParams*) {
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPCSamplingSetConfigurationAttribute(CUpti_PCSamplingConfigurationInfoParams* p) {
  for (std::size_t i = 0; i < p->numAttributes; ++i) {
    const auto& item = p->pPCSamplingConfigurationInfo[i];
    if (item.attributeType == CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER) {
      configured(device_of(p->ctx)) = static_cast<CUpti_PCSamplingData*>(
          item.attributeData.samplingDataBufferData.samplingDataBuffer);
    }
  }
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPCSamplingGetNumStallReasons(CUpti_PCSamplingGetNumStallReasonsParams* p) {
  *p->numStallReasons = std::size(reasons);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPCSamplingGetStallReasons(CUpti_PCSamplingGetStallReasonsParams* p) {
  for (std::size_t i = 0; i < p->numStallReasons; ++i) {
    p->stallReasonIndex[i] = static_cast<std::uint32_t>(i);
    std::strncpy(p->stallReasons[i], reasons[i], CUPTI_STALL_REASON_STRING_SIZE - 1);
  }
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPCSamplingGetData(CUpti_PCSamplingGetDataParams* p) {
  const int device = device_of(p->ctx);
  const std::lock_guard<std::mutex> lock(fake_gpu().mutex);
  move_samples(device, *static_cast<CUpti_PCSamplingData*>(p->pcSamplingData), 2);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetCubinCrc(CUpti_GetCubinCrcParams* p) {
  p->cubinCrc = p->cubinSize;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetSassToSourceCorrelation(CUpti_GetSassToSourceCorrelationParams* p) {
  if (p->pcOffset == 0x50) {
    p->lineNumber = 7;
    p->fileName = strdup("kernel.cu");
    p->dirName = strdup("/src");
  }
  return CUPTI_SUCCESS;
}

}  // extern "C"
