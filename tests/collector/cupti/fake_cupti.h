// A CUPTI that needs no GPU: it follows the life cycle of the real one and fails where a test tells
// it to. One at a time, since CUPTI's functions carry no user data.
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "collector/cupti/cupti_api.h"

namespace ridgepoint::test {

class FakeCupti {
 public:
  FakeCupti() { current() = this; }
  ~FakeCupti() { current() = nullptr; }
  FakeCupti(const FakeCupti&) = delete;
  FakeCupti& operator=(const FakeCupti&) = delete;

  // Which function returns which code instead of succeeding.
  std::map<std::string, CUptiResult> failures;
  std::size_t passes_needed = 3;
  std::size_t ranges_seen = 2;
  std::size_t ranges_dropped = 0;
  std::vector<std::string> reasons = {"smsp__pcsamp_sample_count",
                                      "smsp__pcsamp_warps_issue_stalled_wait",
                                      "smsp__pcsamp_warps_issue_stalled_wait_not_issued",
                                      "smsp__pcsamp_warps_issue_stalled_long_scoreboard"};
  struct Sample {
    std::uint64_t offset;
    std::uint32_t reason;  // index into `reasons`
    std::uint32_t samples;
  };
  // One list a call of cuptiPCSamplingGetData.
  std::vector<std::vector<Sample>> batches;

  // What happened.
  std::vector<std::string> calls;
  std::size_t passes_done = 0;
  bool was_called(const std::string& name) const {
    for (const std::string& call : calls) {
      if (call == name) {
        return true;
      }
    }
    return false;
  }

  static FakeCupti*& current() {
    static FakeCupti* fake = nullptr;
    return fake;
  }

  collector::CuptiApi api();

 private:
  static CUptiResult called(const char* name) {
    FakeCupti& fake = *current();
    fake.calls.emplace_back(name);
    const auto failure = fake.failures.find(name);
    return failure == fake.failures.end() ? CUPTI_SUCCESS : failure->second;
  }
  std::size_t next_batch_ = 0;
};

inline collector::CuptiApi FakeCupti::api() {
  collector::CuptiApi api;
#define FAKE_CALL(name) api.name = [](auto* /*params*/) -> CUptiResult { return called(#name); }
  FAKE_CALL(cuptiProfilerInitialize);
  FAKE_CALL(cuptiProfilerHostDeinitialize);
  FAKE_CALL(cuptiProfilerHostConfigAddMetrics);
  FAKE_CALL(cuptiProfilerHostGetConfigImage);
  FAKE_CALL(cuptiRangeProfilerSetConfig);
  FAKE_CALL(cuptiRangeProfilerStart);
  FAKE_CALL(cuptiRangeProfilerCounterDataImageInitialize);
  FAKE_CALL(cuptiPCSamplingEnable);
  FAKE_CALL(cuptiPCSamplingDisable);
  FAKE_CALL(cuptiPCSamplingStart);
  FAKE_CALL(cuptiPCSamplingStop);
  FAKE_CALL(cuptiPCSamplingSetConfigurationAttribute);
  FAKE_CALL(cuptiRangeProfilerDisable);
#undef FAKE_CALL
  api.cuptiGetResultString = [](CUptiResult, const char** text) {
    *text = "FAKE";
    return CUPTI_SUCCESS;
  };
  api.cuptiRangeProfilerEnable = [](CUpti_RangeProfiler_Enable_Params* p) {
    p->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(current());
    return called("cuptiRangeProfilerEnable");
  };
  api.cuptiProfilerHostInitialize = [](CUpti_Profiler_Host_Initialize_Params* p) {
    p->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(current());
    return called("cuptiProfilerHostInitialize");
  };
  api.cuptiProfilerHostGetConfigImageSize = [](CUpti_Profiler_Host_GetConfigImageSize_Params* p) {
    p->configImageSize = 8;
    return called("cuptiProfilerHostGetConfigImageSize");
  };
  api.cuptiProfilerHostGetNumOfPasses = [](CUpti_Profiler_Host_GetNumOfPasses_Params* p) {
    p->numOfPasses = current()->passes_needed;
    return called("cuptiProfilerHostGetNumOfPasses");
  };
  // The value of counter c in range r is 10 r + c, so that a mix-up shows.
  api.cuptiProfilerHostEvaluateToGpuValues = [](CUpti_Profiler_Host_EvaluateToGpuValues_Params* p) {
    for (std::size_t c = 0; c < p->numMetrics; ++c) {
      p->pMetricValues[c] = static_cast<double>(10 * p->rangeIndex + c);
    }
    return called("cuptiProfilerHostEvaluateToGpuValues");
  };
  api.cuptiRangeProfilerStop = [](CUpti_RangeProfiler_Stop_Params* p) {
    ++current()->passes_done;
    p->isAllPassSubmitted = current()->passes_done >= current()->passes_needed;
    return called("cuptiRangeProfilerStop");
  };
  api.cuptiRangeProfilerDecodeData = [](CUpti_RangeProfiler_DecodeData_Params* p) {
    p->numOfRangeDropped = current()->ranges_dropped;
    return called("cuptiRangeProfilerDecodeData");
  };
  api.cuptiRangeProfilerGetCounterDataSize = [](CUpti_RangeProfiler_GetCounterDataSize_Params* p) {
    p->counterDataSize = 16;
    return called("cuptiRangeProfilerGetCounterDataSize");
  };
  api.cuptiRangeProfilerGetCounterDataInfo = [](CUpti_RangeProfiler_GetCounterDataInfo_Params* p) {
    p->numTotalRanges = current()->ranges_seen;
    return called("cuptiRangeProfilerGetCounterDataInfo");
  };
  api.cuptiPCSamplingGetNumStallReasons = [](CUpti_PCSamplingGetNumStallReasonsParams* p) {
    *p->numStallReasons = current()->reasons.size();
    // The real one refuses until sampling is enabled.
    return current()->was_called("cuptiPCSamplingEnable")
               ? called("cuptiPCSamplingGetNumStallReasons")
               : CUPTI_ERROR_INVALID_OPERATION;
  };
  api.cuptiPCSamplingGetStallReasons = [](CUpti_PCSamplingGetStallReasonsParams* p) {
    for (std::size_t i = 0; i < p->numStallReasons; ++i) {
      p->stallReasonIndex[i] = static_cast<std::uint32_t>(i);
      std::strncpy(p->stallReasons[i], current()->reasons[i].c_str(),
                   CUPTI_STALL_REASON_STRING_SIZE - 1);
    }
    return called("cuptiPCSamplingGetStallReasons");
  };
  api.cuptiPCSamplingGetData = [](CUpti_PCSamplingGetDataParams* p) {
    FakeCupti& fake = *current();
    auto& data = *static_cast<CUpti_PCSamplingData*>(p->pcSamplingData);
    data.totalNumPcs = 0;
    data.totalSamples = 0;
    if (fake.next_batch_ < fake.batches.size()) {
      for (const Sample& sample : fake.batches[fake.next_batch_++]) {
        CUpti_PCSamplingPCData& pc = data.pPcData[data.totalNumPcs++];
        pc.functionName = strdup("_Z6kernelv");  // CUPTI hands its names over to be freed
        pc.pcOffset = sample.offset;
        pc.stallReasonCount = 1;
        pc.stallReason[0] = {sample.reason, sample.samples};
        data.totalSamples += sample.samples;
      }
    }
    data.remainingNumPcs = fake.next_batch_ < fake.batches.size() ? 1 : 0;
    return called("cuptiPCSamplingGetData");
  };
  return api;
}

}  // namespace ridgepoint::test
