// PM sampling of the fake CUPTI. FAKE_CUPTI_PM gives the code with which it refuses to be opened.
#include <mutex>

#include "collector/cupti/cupti_api.h"
#include "tests/collector/inject/fake_gpu.h"

#pragma GCC visibility push(default)

using ridgepoint::test::fake_gpu;
using ridgepoint::test::fake_setting;
using ridgepoint::test::FakeGpu;
using ridgepoint::test::first_sample_image;

namespace {

constexpr std::uint64_t interval_ns = 10000000;  // what the tests ask for

FakeGpu::OverTime& sampled_by(CUpti_PmSampling_Object* object) {
  return *reinterpret_cast<FakeGpu::OverTime*>(object);
}
FakeGpu::OverTime& sampled_in(const std::uint8_t* image) {
  return fake_gpu().over_time[image[0] - first_sample_image];
}

}  // namespace

extern "C" {

CUptiResult cuptiPmSamplingGetCounterAvailability(
    CUpti_PmSampling_GetCounterAvailability_Params* p) {
  p->counterAvailabilityImageSize = 4;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPmSamplingEnable(CUpti_PmSampling_Enable_Params* p) {
  const auto code = static_cast<CUptiResult>(fake_setting("FAKE_CUPTI_PM", CUPTI_SUCCESS));
  const std::lock_guard<std::mutex> lock(fake_gpu().mutex);
  FakeGpu::OverTime& here = fake_gpu().over_time[static_cast<int>(p->deviceIndex)];
  if (code != CUPTI_SUCCESS || here.enabled) {
    return code != CUPTI_SUCCESS ? code : CUPTI_ERROR_INVALID_OPERATION;
  }
  here.enabled = true;
  p->pPmSamplingObject = reinterpret_cast<CUpti_PmSampling_Object*>(&here);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPmSamplingDisable(CUpti_PmSampling_Disable_Params* p) {
  const std::lock_guard<std::mutex> lock(fake_gpu().mutex);
  sampled_by(p->pPmSamplingObject) = {};
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPmSamplingSetConfig(CUpti_PmSampling_SetConfig_Params* p) {
  return p->samplingInterval == interval_ns ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult cuptiPmSamplingStart(CUpti_PmSampling_Start_Params* p) {
  const std::lock_guard<std::mutex> lock(fake_gpu().mutex);
  if (sampled_by(p->pPmSamplingObject).started || fake_gpu().hung) {
    return CUPTI_ERROR_INVALID_OPERATION;
  }
  sampled_by(p->pPmSamplingObject).started = true;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPmSamplingStop(CUpti_PmSampling_Stop_Params* p) {
  const std::lock_guard<std::mutex> lock(fake_gpu().mutex);
  sampled_by(p->pPmSamplingObject).started = false;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPmSamplingDecodeData(CUpti_PmSampling_DecodeData_Params* p) {
  p->decodeStopReason = CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPmSamplingGetCounterDataSize(CUpti_PmSampling_GetCounterDataSize_Params* p) {
  p->counterDataSize = 16;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPmSamplingCounterDataImageInitialize(
    CUpti_PmSampling_CounterDataImage_Initialize_Params* p) {
  const std::lock_guard<std::mutex> lock(fake_gpu().mutex);
  for (auto& [device, here] : fake_gpu().over_time) {
    if (&here == &sampled_by(p->pPmSamplingObject)) {
      p->pCounterData[0] = static_cast<std::uint8_t>(first_sample_image + device);
      here.samples.clear();
    }
  }
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPmSamplingGetCounterDataInfo(CUpti_PmSampling_GetCounterDataInfo_Params* p) {
  p->numCompletedSamples = sampled_in(p->pCounterDataImage).samples.size();
  return CUPTI_SUCCESS;
}
CUptiResult cuptiPmSamplingCounterDataGetSampleInfo(
    CUpti_PmSampling_CounterData_GetSampleInfo_Params* p) {
  p->startTimestamp = 1764417600000000000U + interval_ns * p->sampleIndex;
  p->endTimestamp = p->startTimestamp + interval_ns;
  return CUPTI_SUCCESS;
}

}  // extern "C"
