// A libcupti.so for machines without a GPU: RIDGEPOINT_CUPTI names it, and a test program
// (injection_host.cpp) launches "kernels" through it. It keeps the rules that the collector depends
// on: callbacks around a launch, records that come when flushed, one range a launch while the range
// profiler is started. Here are callbacks and records.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tests/collector/inject/fake_cupti_state.h"

#pragma GCC visibility push(default)

using ridgepoint::test::context_of;
using ridgepoint::test::device_of;
using ridgepoint::test::fake;
using ridgepoint::test::fake_gpu;
using ridgepoint::test::fake_setting;
using ridgepoint::test::mutex;

namespace ridgepoint::test {

FakeCupti& fake() {
  static auto* kept = new FakeCupti;
  return *kept;
}
CUcontext context_of(int device) {
  return reinterpret_cast<CUcontext>(reinterpret_cast<char*>(&fake()) + device);
}
int device_of(const void* context) {
  return static_cast<int>(static_cast<const char*>(context) - reinterpret_cast<char*>(&fake()));
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

}  // namespace ridgepoint::test

namespace {

// The real one would come back, which is not meant.
void expect_not_left() {
  if (fake().left) {
    static_cast<void>(std::fputs("CUPTI was called after it had been left\n", stderr));
    std::_Exit(70);
  }
}

}  // namespace

extern "C" {

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
CUptiResult cuptiGetStreamIdEx(CUcontext, CUstream, std::uint8_t, std::uint32_t* id) {
  *id = 7;
  return CUPTI_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = context_of(fake_gpu().device);
  return CUDA_SUCCESS;
}
// A thread's contexts; what is launched goes to the device of the last.
// Nothing that ends with the thread: it is used by handlers of exit(), which come later.
static thread_local int devices_before[8];
static thread_local int contexts_pushed = 0;
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  devices_before[contexts_pushed++] = std::exchange(fake_gpu().device, device_of(context));
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  *context = context_of(fake_gpu().device);
  fake_gpu().device = devices_before[--contexts_pushed];
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
  // The question needs a profiler, and that must not be loaded beside this program.
  if (fake_setting("FAKE_CUPTI_NO_PROFILER", 0) != 0 &&
      std::getenv("RIDGEPOINT_PROFILE") != nullptr) {
    std::abort();
  }
  const char* chosen = std::getenv("FAKE_CUPTI_CHIP");
  p->pChipName = chosen != nullptr ? chosen : ridgepoint::test::known_chip;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetDeviceId(CUcontext context, std::uint32_t* device) {
  expect_not_left();
  // With FAKE_CUPTI_ONE_DEVICE all contexts are on it.
  *device = fake_setting("FAKE_CUPTI_ONE_DEVICE", 0) != 0
                ? 0
                : static_cast<std::uint32_t>(device_of(context));
  return CUPTI_SUCCESS;
}
CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                           void* user) {
  const auto code = static_cast<CUptiResult>(fake_setting("FAKE_CUPTI_SUBSCRIBE", CUPTI_SUCCESS));
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
  // Told once, as the real one does.
  static auto dropped = static_cast<std::size_t>(fake_setting("FAKE_CUPTI_DROP", 0));
  *count = std::exchange(dropped, 0);
  return CUPTI_SUCCESS;
}

}  // extern "C"
