// CUPTI as a struct of function pointers. The library is never linked: it is opened at run time
// (cupti_library.h), so that the program starts where it is absent, and tests put a fake in its
// place. This is the only header that includes CUPTI's own.
#pragma once

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
#include <cupti_pcsampling.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <cupti_version.h>

// One line a function: its field below, and its symbol in the library.
#define RIDGEPOINT_CUPTI_FUNCTIONS(X)             \
  X(cuptiGetVersion)                              \
  X(cuptiGetResultString)                         \
  X(cuptiDeviceGetChipName)                       \
  X(cuptiProfilerInitialize)                      \
  X(cuptiProfilerDeInitialize)                    \
  X(cuptiProfilerDeviceSupported)                 \
  X(cuptiProfilerHostInitialize)                  \
  X(cuptiProfilerHostDeinitialize)                \
  X(cuptiProfilerHostGetSupportedChips)           \
  X(cuptiProfilerHostConfigAddMetrics)            \
  X(cuptiProfilerHostGetConfigImageSize)          \
  X(cuptiProfilerHostGetConfigImage)              \
  X(cuptiProfilerHostGetNumOfPasses)              \
  X(cuptiProfilerHostEvaluateToGpuValues)         \
  X(cuptiRangeProfilerEnable)                     \
  X(cuptiRangeProfilerDisable)                    \
  X(cuptiRangeProfilerSetConfig)                  \
  X(cuptiRangeProfilerStart)                      \
  X(cuptiRangeProfilerStop)                       \
  X(cuptiRangeProfilerDecodeData)                 \
  X(cuptiRangeProfilerGetCounterDataSize)         \
  X(cuptiRangeProfilerCounterDataImageInitialize) \
  X(cuptiRangeProfilerGetCounterDataInfo)         \
  X(cuptiRangeProfilerPushRange)                  \
  X(cuptiRangeProfilerPopRange)                   \
  X(cuptiRangeProfilerCounterDataGetRangeInfo)    \
  X(cuptiPCSamplingSetConfigurationAttribute)     \
  X(cuptiPCSamplingGetConfigurationAttribute)     \
  X(cuptiPCSamplingGetNumStallReasons)            \
  X(cuptiPCSamplingGetStallReasons)               \
  X(cuptiPCSamplingEnable)                        \
  X(cuptiPCSamplingDisable)                       \
  X(cuptiPCSamplingStart)                         \
  X(cuptiPCSamplingStop)                          \
  X(cuptiPCSamplingGetData)                       \
  X(cuptiGetCubinCrc)                             \
  X(cuptiGetSassToSourceCorrelation)              \
  X(cuptiActivityRegisterCallbacks)               \
  X(cuptiActivityEnable)                          \
  X(cuptiActivityDisable)                         \
  X(cuptiActivityFlushAll)                        \
  X(cuptiActivityGetNextRecord)                   \
  X(cuptiActivityGetNumDroppedRecords)            \
  X(cuptiActivityRegisterTimestampCallback)       \
  X(cuptiSubscribe)                               \
  X(cuptiUnsubscribe)                             \
  X(cuptiFinalize)                                \
  X(cuptiEnableCallback)                          \
  X(cuptiGetDeviceId)                             \
  X(cuptiGetStreamIdEx)                           \
  X(cuptiGetTimestamp)

// Null where the library lacks them; what needs them says so.
#define RIDGEPOINT_CUPTI_PM_FUNCTIONS(X)       \
  X(cuptiPmSamplingGetCounterAvailability)     \
  X(cuptiPmSamplingEnable)                     \
  X(cuptiPmSamplingDisable)                    \
  X(cuptiPmSamplingSetConfig)                  \
  X(cuptiPmSamplingStart)                      \
  X(cuptiPmSamplingStop)                       \
  X(cuptiPmSamplingDecodeData)                 \
  X(cuptiPmSamplingGetCounterDataSize)         \
  X(cuptiPmSamplingCounterDataImageInitialize) \
  X(cuptiPmSamplingGetCounterDataInfo)         \
  X(cuptiPmSamplingCounterDataGetSampleInfo)

namespace ridgepoint::collector {

struct CuptiApi {
#define RIDGEPOINT_CUPTI_FIELD(name) decltype(&::name) name = nullptr;
  RIDGEPOINT_CUPTI_FUNCTIONS(RIDGEPOINT_CUPTI_FIELD)
  RIDGEPOINT_CUPTI_PM_FUNCTIONS(RIDGEPOINT_CUPTI_FIELD)
#undef RIDGEPOINT_CUPTI_FIELD
};

// CUPTI's parameter structs start with their own size, and every field not set must be zero.
#define RIDGEPOINT_CUPTI_PARAMS(type, variable) \
  type##_Params variable = {};                  \
  (variable).structSize = type##_Params_STRUCT_SIZE

}  // namespace ridgepoint::collector
