// PM sampling for the fake CUPTI: a buffer of samples 10 microseconds apart.
#pragma once

#include <algorithm>

#include "tests/collector/cupti/fake_cupti.h"

namespace ridgepoint::test {

struct FakePmSampling {
  std::size_t samples = 3;
  bool overflow = false;
  std::uint64_t interval_asked = 0;
  std::map<std::string, CUptiResult> failures;
  std::vector<std::string> calls;

  static FakePmSampling*& current() {
    static FakePmSampling* fake = nullptr;
    return fake;
  }
  FakePmSampling() { current() = this; }
  ~FakePmSampling() { current() = nullptr; }
  FakePmSampling(const FakePmSampling&) = delete;
  FakePmSampling& operator=(const FakePmSampling&) = delete;

  bool was_called(const std::string& name) const {
    return std::find(calls.begin(), calls.end(), name) != calls.end();
  }

  void fill(collector::CuptiApi& api) {
    api.cuptiPmSamplingGetCounterAvailability =
        [](CUpti_PmSampling_GetCounterAvailability_Params* p) {
          p->counterAvailabilityImageSize = 4;
          return called("cuptiPmSamplingGetCounterAvailability");
        };
    api.cuptiPmSamplingEnable = [](CUpti_PmSampling_Enable_Params* p) {
      p->pPmSamplingObject = reinterpret_cast<CUpti_PmSampling_Object*>(current());
      return called("cuptiPmSamplingEnable");
    };
    api.cuptiPmSamplingDisable = [](CUpti_PmSampling_Disable_Params*) {
      return called("cuptiPmSamplingDisable");
    };
    api.cuptiPmSamplingSetConfig = [](CUpti_PmSampling_SetConfig_Params* p) {
      current()->interval_asked = p->samplingInterval;
      return called("cuptiPmSamplingSetConfig");
    };
    api.cuptiPmSamplingStart = [](CUpti_PmSampling_Start_Params*) {
      return called("cuptiPmSamplingStart");
    };
    api.cuptiPmSamplingStop = [](CUpti_PmSampling_Stop_Params*) {
      return called("cuptiPmSamplingStop");
    };
    api.cuptiPmSamplingDecodeData = [](CUpti_PmSampling_DecodeData_Params* p) {
      p->overflow = current()->overflow ? 1 : 0;
      p->decodeStopReason = CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS;
      return called("cuptiPmSamplingDecodeData");
    };
    api.cuptiPmSamplingGetCounterDataSize = [](CUpti_PmSampling_GetCounterDataSize_Params* p) {
      p->counterDataSize = 32;
      return called("cuptiPmSamplingGetCounterDataSize");
    };
    api.cuptiPmSamplingCounterDataImageInitialize =
        [](CUpti_PmSampling_CounterDataImage_Initialize_Params*) {
          return called("cuptiPmSamplingCounterDataImageInitialize");
        };
    api.cuptiPmSamplingGetCounterDataInfo = [](CUpti_PmSampling_GetCounterDataInfo_Params* p) {
      p->numCompletedSamples = current()->samples;
      return called("cuptiPmSamplingGetCounterDataInfo");
    };
    api.cuptiPmSamplingCounterDataGetSampleInfo =
        [](CUpti_PmSampling_CounterData_GetSampleInfo_Params* p) {
          p->startTimestamp = 1764417600000000000U + 10000 * p->sampleIndex;
          p->endTimestamp = p->startTimestamp + 10000;
          return called("cuptiPmSamplingCounterDataGetSampleInfo");
        };
  }

 private:
  static CUptiResult called(const char* name) {
    current()->calls.emplace_back(name);
    const auto failure = current()->failures.find(name);
    return failure == current()->failures.end() ? CUPTI_SUCCESS : failure->second;
  }
};

}  // namespace ridgepoint::test
