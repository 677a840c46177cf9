// A libcupti.so for machines without a GPU: RIDGEPOINT_CUPTI names it, and a test program
// (injection_host.cpp) launches "kernels" through it. It keeps the rules that the collector depends
// on: callbacks around a launch, records that come when flushed, one range a launch while the range
// profiler is started.
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "collector/inject/launch_parameters.h"
#include "tests/collector/inject/fake_gpu.h"

#pragma GCC visibility push(default)

using ridgepoint::test::fake_gpu;
using ridgepoint::test::fake_setting;
using ridgepoint::test::FakeGpu;

namespace {

struct Fake {
  CUpti_CallbackFunc callback = nullptr;
  void* user = nullptr;
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
  std::deque<CUpti_ActivityKernel10> records;
  std::size_t read = 0;
  std::uint32_t launches = 0;
  std::set<int> kinds;            // of records that are taken
  std::set<std::uint32_t> heard;  // driver calls with callbacks
};
Fake& fake() {
  static auto* kept = new Fake;
  return *kept;
}
std::mutex& mutex() {
  return fake_gpu().mutex;
}
int setting(const char* variable, int otherwise) {
  return fake_setting(variable, otherwise);
}

void call_back(CUpti_CallbackId id, CUpti_ApiCallbackSite site, std::uint32_t correlation,
               const char* name, const void* parameters, CUresult& result) {
  CUpti_CallbackData data = {};
  data.callbackSite = site;
  data.functionName = "driver function";
  data.functionParams = parameters;
  data.functionReturnValue = &result;
  data.symbolName = name;
  data.context = reinterpret_cast<CUcontext>(&fake());
  data.correlationId = correlation;
  bool heard = false;
  {
    const std::lock_guard<std::mutex> lock(mutex());
    heard = fake().heard.count(id) != 0;
  }
  if (fake().callback != nullptr && heard) {
    fake().callback(fake().user, CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
  }
}

template <class Parameters, class Body>
void driver_call(CUpti_CallbackId id, const Parameters& parameters, Body body) {
  CUresult result = CUDA_SUCCESS;
  call_back(id, CUPTI_API_ENTER, 0, nullptr, &parameters, result);
  body();
  call_back(id, CUPTI_API_EXIT, 0, nullptr, &parameters, result);
}

}  // namespace

extern "C" {

// What a program's calls are, seen from CUPTI. Not part of CUPTI.
void fake_alloc(int bytes) {
  struct {
    CUdeviceptr* address;
    std::size_t bytes;
  } parameters = {&fake_gpu().program_memory, static_cast<std::size_t>(bytes)};
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2, parameters,
              [&] { fake_gpu().program_memory = fake_gpu().allocate(parameters.bytes); });
}
void fake_free() {
  struct {
    CUdeviceptr address;
  } parameters = {fake_gpu().program_memory};
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2, parameters, [&] {
    fake_gpu().free(parameters.address);
    fake_gpu().program_memory = 0;
  });
}
void fake_share() {
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuIpcGetMemHandle, 0, [] {});
}
void fake_capture(int begins) {
  driver_call(begins != 0 ? CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2
                          : CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture,
              0, [&] { fake_gpu().capturing = begins != 0; });
}
void fake_context() {
  CUpti_ResourceData data = {};
  data.context = reinterpret_cast<CUcontext>(&fake());
  if (fake().callback != nullptr) {
    fake().callback(fake().user, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED,
                    &data);
  }
}
// The file's content is what the driver loads.
void fake_module(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string code((std::istreambuf_iterator<char>(file)), {});
  CUpti_ModuleResourceData module = {};
  module.pCubin = code.data();
  module.cubinSize = code.size();
  CUpti_ResourceData data = {};
  data.context = reinterpret_cast<CUcontext>(&fake());
  data.resourceDescriptor = &module;
  if (fake().callback != nullptr) {
    fake().callback(fake().user, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED,
                    &data);
  }
  fake_gpu().cubin_crc = code.size();  // the fake's checksum
}
int fake_value() {
  return fake_gpu().program_memory == 0 ? -1 : *reinterpret_cast<int*>(fake_gpu().program_memory);
}

void fake_launch(const char* mangled, int succeeds) {
  std::uint32_t correlation = 0;
  CUfunction function = nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex());
    correlation = ++fake().launches;
    function = fake_gpu().function(mangled);
  }
  const char* name = fake_gpu().name(function);
  ridgepoint::collector::LaunchKernelPlainParameters parameters = {};
  CUdeviceptr memory = fake_gpu().program_memory;
  void* arguments[] = {&memory};
  parameters.f = function;
  parameters.gridDimX = 7;
  parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = 128;
  parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.kernelParams = arguments;
  CUresult result = succeeds != 0 ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  constexpr auto id = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel;
  call_back(id, CUPTI_API_ENTER, correlation, name, &parameters, result);
  if (const char* lazy = std::getenv("FAKE_CUPTI_LAZY_MODULE"); lazy != nullptr) {
    fake_module(
        lazy);  // as CUDA_MODULE_LOADING=LAZY, the default: code comes with its first launch
  }
  if (succeeds != 0 && !fake_gpu().capturing) {
    const std::lock_guard<std::mutex> lock(mutex());
    CUpti_ActivityKernel10 record;
    std::memset(&record, 0, sizeof(record));
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.name = name;
    record.correlationId = correlation;
    record.gridX = 7;
    record.gridY = record.gridZ = 1;
    record.blockX = 128;
    record.blockY = record.blockZ = 1;
    record.registersPerThread = 40;
    record.streamId = 7;
    record.start = 1000 * correlation;
    record.end = record.start + 500;
    if (static_cast<int>(correlation) != setting("FAKE_CUPTI_LOSE_RECORD", 0) &&
        fake().kinds.count(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != 0) {
      fake().records.push_back(record);
    }
    fake_gpu().run_program_kernel(name, memory);
    fake_gpu().count(correlation);
    fake_gpu().sample(name);
  }
  call_back(id, CUPTI_API_EXIT, correlation, name, &parameters, result);
}

// A CUDA graph of three kernels.
void fake_graph() {
  constexpr std::uint32_t nodes = 3;
  struct {
    CUgraphExec graph;
    CUstream stream;
  } parameters = {};
  CUresult result = CUDA_SUCCESS;
  std::uint32_t correlation = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex());
    correlation = ++fake().launches;
  }
  constexpr auto id = CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch;
  call_back(id, CUPTI_API_ENTER, correlation, nullptr, &parameters, result);
  if (static_cast<int>(correlation) != setting("FAKE_CUPTI_LOSE_RECORD", 0)) {
    const std::lock_guard<std::mutex> lock(mutex());
    CUpti_ActivityKernel10 record;
    std::memset(&record, 0, sizeof(record));
    if (fake().kinds.count(CUPTI_ACTIVITY_KIND_GRAPH_TRACE) != 0) {
      CUpti_ActivityGraphTrace2 graph = {};
      graph.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
      graph.correlationId = correlation;
      graph.graphId = 2;
      graph.streamId = 13;
      graph.start = 1000 * correlation;
      graph.end = graph.start + 900;
      static_assert(sizeof(graph) <= sizeof(record));
      std::memcpy(&record, &graph, sizeof(graph));
      fake().records.push_back(record);
    } else if (fake().kinds.count(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != 0) {
      for (std::uint32_t node = 0; node < nodes; ++node) {
        record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        record.name = "node";
        record.correlationId = correlation;
        record.graphId = 2;
        record.gridX = record.gridY = record.gridZ = 1;
        record.blockX = record.blockY = record.blockZ = 1;
        record.start = 1000 * correlation + 300 * node;
        record.end = record.start + 300;
        fake().records.push_back(record);
      }
    }
  }
  call_back(id, CUPTI_API_EXIT, correlation, nullptr, &parameters, result);
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  const std::lock_guard<std::mutex> lock(mutex());
  fake().kinds.insert(kind);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  const std::lock_guard<std::mutex> lock(mutex());
  fake().kinds.erase(kind);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiEnableCallback(std::uint32_t enable, CUpti_SubscriberHandle,
                                CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  const std::lock_guard<std::mutex> lock(mutex());
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API && enable != 0) {
    fake().heard.insert(id);
  } else if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
    fake().heard.erase(id);
  }
  return CUPTI_SUCCESS;
}
int fake_heard() {
  const std::lock_guard<std::mutex> lock(mutex());
  return static_cast<int>(fake().heard.size() + fake().kinds.size());
}
CUptiResult cuptiGetStreamIdEx(CUcontext, CUstream, std::uint8_t, std::uint32_t* id) {
  *id = 7;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetVersion(std::uint32_t* version) {
  *version = CUPTI_API_VERSION;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
  *text = "FAKE_CUPTI";
  return CUPTI_SUCCESS;
}
CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params* p) {
  p->pChipName = "GH100";
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetDeviceId(CUcontext, std::uint32_t* device) {
  *device = 0;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                           void* user) {
  const auto code = static_cast<CUptiResult>(setting("FAKE_CUPTI_SUBSCRIBE", CUPTI_SUCCESS));
  if (code == CUPTI_SUCCESS) {
    fake().callback = callback;
    fake().user = user;
    *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&fake());
  }
  return code;
}
CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle) {
  fake().callback = nullptr;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
  fake().request = request;
  fake().complete = complete;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityFlushAll(std::uint32_t) {
  while (true) {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    std::size_t most = 0;
    fake().request(&buffer, &size, &most);
    std::size_t valid = 0;
    {
      const std::lock_guard<std::mutex> lock(mutex());
      while (!fake().records.empty() && valid + sizeof(CUpti_ActivityKernel10) <= size) {
        std::memcpy(buffer + valid, &fake().records.front(), sizeof(CUpti_ActivityKernel10));
        valid += sizeof(CUpti_ActivityKernel10);
        fake().records.pop_front();
      }
      fake().read = 0;
    }
    fake().complete(nullptr, 0, buffer, size, valid);
    if (valid == 0) {
      return CUPTI_SUCCESS;
    }
  }
}
CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid,
                                       CUpti_Activity** record) {
  const std::size_t offset = fake().read++ * sizeof(CUpti_ActivityKernel10);
  if (offset >= valid) {
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  }
  *record = reinterpret_cast<CUpti_Activity*>(buffer + offset);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t* count) {
  *count = 0;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* p) {
  p->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(&fake());
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* p) {
  p->configImageSize = 8;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* p) {
  p->numOfPasses = static_cast<std::size_t>(setting("FAKE_CUPTI_PASSES", 1));
  return CUPTI_SUCCESS;
}
// The value of every counter is the number of the launch, so that a mix-up shows.
CUptiResult cuptiProfilerHostEvaluateToGpuValues(
    CUpti_Profiler_Host_EvaluateToGpuValues_Params* p) {
  for (std::size_t c = 0; c < p->numMetrics; ++c) {
    const bool is_patched = std::strstr(p->ppMetricNames[c], "__sass_") != nullptr;
    p->pMetricValues[c] = is_patched && setting("FAKE_CUPTI_PATCHES", 1) == 0
                              ? 0
                              : fake_gpu().ranges.at(p->rangeIndex);
  }
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params* p) {
  p->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(&fake());
  return static_cast<CUptiResult>(setting("FAKE_CUPTI_ENABLE", CUPTI_SUCCESS));
}
CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params*) {
  fake_gpu().most_ranges = 0;
  return CUPTI_SUCCESS;
}
// As on an H200 (CUDA 13.0): a configuration that follows another gets no more room than the first.
CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params* p) {
  if (fake_gpu().most_ranges == 0) {
    fake_gpu().most_ranges = p->maxRangesPerPass;
  }
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params*) {
  fake_gpu().start_pass();
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params* p) {
  p->isAllPassSubmitted = fake_gpu().end_pass() >= setting("FAKE_CUPTI_PASSES", 1);
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
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params*) {
  fake_gpu().empty_image();
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params* p) {
  p->numTotalRanges = fake_gpu().ranges.size();
  return CUPTI_SUCCESS;
}

}  // extern "C"
