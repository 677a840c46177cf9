// The fake CUPTI's range profiler and what evaluates its counters: one range a launch while it is
// started, and the number of the launch as the value of every counter.
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "tests/collector/inject/fake_cupti_state.h"

#pragma GCC visibility push(default)

using ridgepoint::test::device_of;
using ridgepoint::test::fake_gpu;
using ridgepoint::test::fake_setting;
using ridgepoint::test::FakeGpu;

namespace {

FakeGpu::Counting& counting_of(const void* profiler) {
  return fake_gpu().counting[device_of(profiler)];
}
// Of an image of counters: the device it comes from.
FakeGpu::Counting& counting_in(const std::uint8_t* image) {
  return fake_gpu().counting[image[0]];
}
struct Host {
  std::size_t counters = 0;
};

}  // namespace

extern "C" {

CUptiResult cuptiProfilerHostGetSupportedChips(CUpti_Profiler_Host_GetSupportedChips_Params* p) {
  static const char* chips[] = {ridgepoint::test::known_chip};
  p->ppChipNames = chips;
  p->numChips = 1;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* p) {
  if (std::strcmp(p->pChipName, ridgepoint::test::known_chip) != 0) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  p->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(new Host);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params* p) {
  delete reinterpret_cast<Host*>(p->pHostObject);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* p) {
  reinterpret_cast<Host*>(p->pHostObject)->counters += p->numMetrics;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* p) {
  p->configImageSize = sizeof(Host);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* p) {
  std::memcpy(p->pConfigImage, p->pHostObject, sizeof(Host));
  return CUPTI_SUCCESS;
}
// FAKE_CUPTI_PASSES for any set of counters, or as many as there are FAKE_CUPTI_PER_PASS in it.
CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* p) {
  Host host;
  std::memcpy(&host, p->pConfigImage, sizeof(host));
  const auto a_pass = static_cast<std::size_t>(fake_setting("FAKE_CUPTI_PER_PASS", 0));
  p->numOfPasses = a_pass != 0 ? (host.counters + a_pass - 1) / a_pass
                               : static_cast<std::size_t>(fake_setting("FAKE_CUPTI_PASSES", 1));
  return CUPTI_SUCCESS;
}
// The value of every counter is the number of the launch, so that a mix-up shows.
CUptiResult cuptiProfilerHostEvaluateToGpuValues(
    CUpti_Profiler_Host_EvaluateToGpuValues_Params* p) {
  const int image = p->pCounterDataImage[0];
  for (std::size_t c = 0; c < p->numMetrics; ++c) {
    if (image >= ridgepoint::test::first_sample_image) {
      p->pMetricValues[c] =
          fake_gpu().over_time[image - ridgepoint::test::first_sample_image].samples.at(
              p->rangeIndex);
      continue;
    }
    const bool is_patched = std::strstr(p->ppMetricNames[c], "__sass_") != nullptr;
    p->pMetricValues[c] = is_patched && fake_setting("FAKE_CUPTI_PATCHES", 1) == 0
                              ? 0
                              : counting_in(p->pCounterDataImage).ranges.at(p->rangeIndex);
  }
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params* p) {
  p->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(p->ctx);
  return static_cast<CUptiResult>(fake_setting("FAKE_CUPTI_ENABLE", CUPTI_SUCCESS));
}
CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params* p) {
  FakeGpu::Counting& counting = counting_of(p->pRangeProfilerObject);
  counting.most_ranges = 0;
  counting.passes = 0;
  return CUPTI_SUCCESS;
}
// As on an H200 (CUDA 13.0): a configuration that follows another gets no more room than the first.
CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params* p) {
  FakeGpu::Counting& counting = counting_of(p->pRangeProfilerObject);
  counting.by_user = p->range == CUPTI_UserRange;
  if (counting.most_ranges == 0) {
    counting.most_ranges = p->maxRangesPerPass;
  }
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params* p) {
  FakeGpu::Counting& counting = counting_of(p->pRangeProfilerObject);
  if (counting.all_passes == 0) {
    const int milliseconds = fake_setting("FAKE_CUPTI_FIRST_PASS_MS", 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }
  counting.start_pass();
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params* p) {
  FakeGpu::Counting& counting = counting_of(p->pRangeProfilerObject);
  if (!counting.started || counting.is_open) {
    return CUPTI_ERROR_INVALID_OPERATION;
  }
  counting.is_open = true;
  // CUPTI keeps ranges in an order of its own.
  counting.ranges.insert(counting.ranges.begin(), 0);
  counting.names.insert(counting.names.begin(), p->pRangeName);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerPopRange(CUpti_RangeProfiler_PopRange_Params* p) {
  FakeGpu::Counting& counting = counting_of(p->pRangeProfilerObject);
  const bool was_open = std::exchange(counting.is_open, false);
  return was_open ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_OPERATION;
}
CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params* p) {
  // One range at a time is recorded by user ranges, so one pass.
  FakeGpu::Counting& counting = counting_of(p->pRangeProfilerObject);
  const int passes = counting.end_pass();
  p->isAllPassSubmitted = counting.by_user || fake_setting("FAKE_CUPTI_PER_PASS", 0) != 0 ||
                          passes >= fake_setting("FAKE_CUPTI_PASSES", 1);
  if (p->isAllPassSubmitted != 0) {
    counting.passes = 0;
  }
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params* p) {
  p->numOfRangeDropped = 0;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params* p) {
  p->counterDataSize = 16;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerCounterDataImageInitialize(
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params* p) {
  p->pCounterData[0] = static_cast<std::uint8_t>(device_of(p->pRangeProfilerObject));
  counting_of(p->pRangeProfilerObject).empty_image();
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerCounterDataGetRangeInfo(
    CUpti_RangeProfiler_CounterData_GetRangeInfo_Params* p) {
  static std::string name;
  name = counting_in(p->pCounterDataImage).names.at(p->rangeIndex);
  p->rangeName = name.c_str();
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params* p) {
  p->numTotalRanges = counting_in(p->pCounterDataImage).ranges.size();
  return CUPTI_SUCCESS;
}

}  // extern "C"
