// A libcupti.so for machines without a GPU: RIDGEPOINT_CUPTI names it, and a test program
// (injection_host.cpp) launches "kernels" through it. It keeps the rules that the collector depends
// on: callbacks around a launch, records that come when flushed, one range a launch while the range
// profiler is started.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <utility>
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
  std::uint32_t grid = 7;
  bool graph_made = false;
  bool graph_traced = false;  // records of graphs were asked for before it was made
  bool left = false;          // cuptiFinalize() was called
};
Fake& fake() {
  static auto* kept = new Fake;
  return *kept;
}
// One context on each device, which is its range profiler too.
CUcontext context_of(int device) {
  return reinterpret_cast<CUcontext>(reinterpret_cast<char*>(&fake()) + device);
}
int device_of(const void* context) {
  return static_cast<int>(static_cast<const char*>(context) - reinterpret_cast<char*>(&fake()));
}
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
std::mutex& mutex() {
  return fake_gpu().mutex;
}
// The real one would come back, which is not meant.
void expect_not_left() {
  if (fake().left) {
    static_cast<void>(std::fputs("CUPTI was called after it had been left\n", stderr));
    std::_Exit(70);
  }
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
  data.context = context_of(fake_gpu().device);
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

template <class Activity>
void add_record(const Activity& activity) {
  CUpti_ActivityKernel10 record;
  static_assert(sizeof(activity) <= sizeof(record));
  std::memset(&record, 0, sizeof(record));
  std::memcpy(&record, &activity, sizeof(activity));
  fake().records.push_back(record);
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
void fake_device(int device) {
  fake_gpu().device = device;
}
void fake_grid(int blocks) {
  fake().grid = static_cast<std::uint32_t>(blocks);
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
  parameters.gridDimX = fake().grid;
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
  fake_gpu().pass_time(name);
  if (succeeds != 0 && !fake_gpu().capturing) {
    const std::lock_guard<std::mutex> lock(mutex());
    CUpti_ActivityKernel10 record;
    std::memset(&record, 0, sizeof(record));
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.name = name;
    record.correlationId = correlation;
    record.gridX = static_cast<std::int32_t>(fake().grid);
    record.deviceId = static_cast<std::uint32_t>(fake_gpu().device);
    record.gridY = record.gridZ = 1;
    record.blockX = 128;
    record.blockY = record.blockZ = 1;
    record.registersPerThread = 40;
    record.streamId = 7;
    record.start = 1000 * correlation;
    record.end = record.start + (std::strncmp(name, "slow", 4) == 0 ? 50000 : 500);
    if (static_cast<int>(correlation) != setting("FAKE_CUPTI_LOSE_RECORD", 0) &&
        fake().kinds.count(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != 0) {
      fake().records.push_back(record);
    }
    fake_gpu().run_program_kernel(name, memory);
    // Kernels of two GPUs: one that waits, and the one that it waits for.
    fake_gpu().hung =
        (fake_gpu().hung || std::strcmp(name, "waits") == 0) && std::strcmp(name, "frees") != 0;
    fake_gpu().count(correlation);
    fake_gpu().sample(name);
    fake_gpu().sample_over_time(correlation);
  }
  call_back(id, CUPTI_API_EXIT, correlation, name, &parameters, result);
}

void fake_copy() {
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2, 0, [] {
    const std::lock_guard<std::mutex> lock(mutex());
    if (fake().kinds.count(CUPTI_ACTIVITY_KIND_MEMCPY) != 0) {
      CUpti_ActivityMemcpy6 copy = {};
      copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
      copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOD;
      copy.deviceId = static_cast<std::uint32_t>(fake_gpu().device);
      copy.bytes = 4096;
      copy.start = 1000 * ++fake().launches;
      copy.end = copy.start + 200;
      add_record(copy);
    }
  });
}

void make_graph() {
  if (!std::exchange(fake().graph_made, true)) {
    driver_call(CUPTI_DRIVER_TRACE_CBID_cuGraphCreate, 0, [] {
      fake().graph_traced = fake().kinds.count(CUPTI_ACTIVITY_KIND_GRAPH_TRACE) != 0;
    });
  }
}

// A CUDA graph of three kernels, made when it is first launched.
void fake_graph() {
  constexpr std::uint32_t nodes = 3;
  make_graph();
  if (!fake().graph_traced && fake().kinds.count(CUPTI_ACTIVITY_KIND_GRAPH_TRACE) != 0) {
    static_cast<void>(std::fputs("CUPTI 13.0 crashes here\n", stderr));
    std::_Exit(71);
  }
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
      add_record(graph);
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
  expect_not_left();
  const std::lock_guard<std::mutex> lock(mutex());
  fake().kinds.insert(kind);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  expect_not_left();
  const std::lock_guard<std::mutex> lock(mutex());
  fake().kinds.erase(kind);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiEnableCallback(std::uint32_t enable, CUpti_SubscriberHandle,
                                CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  expect_not_left();
  const std::lock_guard<std::mutex> lock(mutex());
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API && enable != 0) {
    fake().heard.insert(id);
  } else if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
    fake().heard.erase(id);
  }
  return CUPTI_SUCCESS;
}
CUptiResult cuptiFinalize() {
  expect_not_left();
  const std::lock_guard<std::mutex> lock(mutex());
  fake().left = true;
  fake().callback = nullptr;
  fake().heard.clear();
  fake().kinds.clear();
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
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = context_of(fake_gpu().device);
  return CUDA_SUCCESS;
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
  expect_not_left();
  p->pChipName = "GH100";
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetDeviceId(CUcontext context, std::uint32_t* device) {
  expect_not_left();
  *device = static_cast<std::uint32_t>(device_of(context));
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
  expect_not_left();
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
  expect_not_left();
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
CUptiResult cuptiProfilerHostGetSupportedChips(CUpti_Profiler_Host_GetSupportedChips_Params* p) {
  static const char* chips[] = {"GH100"};
  p->ppChipNames = chips;
  p->numChips = 1;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* p) {
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
  const auto a_pass = static_cast<std::size_t>(setting("FAKE_CUPTI_PER_PASS", 0));
  p->numOfPasses = a_pass != 0 ? (host.counters + a_pass - 1) / a_pass
                               : static_cast<std::size_t>(setting("FAKE_CUPTI_PASSES", 1));
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
    p->pMetricValues[c] = is_patched && setting("FAKE_CUPTI_PATCHES", 1) == 0
                              ? 0
                              : counting_in(p->pCounterDataImage).ranges.at(p->rangeIndex);
  }
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params* p) {
  p->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(p->ctx);
  return static_cast<CUptiResult>(setting("FAKE_CUPTI_ENABLE", CUPTI_SUCCESS));
}
CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params* p) {
  counting_of(p->pRangeProfilerObject).most_ranges = 0;
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
  counting_of(p->pRangeProfilerObject).start_pass();
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
  p->isAllPassSubmitted = counting.by_user || setting("FAKE_CUPTI_PER_PASS", 0) != 0 ||
                          passes >= setting("FAKE_CUPTI_PASSES", 1);
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
