// What CUPTI costs by itself: a library for CUDA_INJECTION64_PATH that does nothing with what it is
// told. CUPTI_ALONE is letters: s subscribed, c that with callbacks around launches, r records of
// kernels, m of copies and fills, g of graphs, o those of kernels off again after the first 1,000
// launches.
//   g++ -O2 -shared -fPIC -I$CUDA/include cupti_alone.cpp -o cupti_alone.so -L$CUDA/lib64 -lcupti
#include <cupti.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20U;
constexpr long until_off = 2000;  // a launch has two callbacks

bool off_later = false;
std::atomic<long> heard{0};

void CUPTIAPI on_call(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {
  if (++heard == until_off && off_later) {
    cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  }
}

void CUPTIAPI buffer_wanted(std::uint8_t** buffer, std::size_t* bytes, std::size_t* records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_bytes));
  *bytes = *buffer == nullptr ? 0 : buffer_bytes;
  *records = 0;
}

void CUPTIAPI buffer_full(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t) {
  std::free(buffer);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  const char* wanted = std::getenv("CUPTI_ALONE");
  if (wanted == nullptr) {
    return 1;
  }
  const auto has = [wanted](char letter) { return std::strchr(wanted, letter) != nullptr; };
  off_later = has('o');
  if (has('r') || has('m') || has('g')) {
    cuptiActivityRegisterCallbacks(buffer_wanted, buffer_full);
  }
  if (has('r')) {
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  }
  if (has('m')) {
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
  }
  if (has('g')) {
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  }
  CUpti_SubscriberHandle subscriber = nullptr;
  if (has('s') || has('c')) {
    cuptiSubscribe(&subscriber, on_call, nullptr);
  }
  if (has('c')) {
    for (const unsigned call :
         {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
          CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch}) {
      cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, call);
    }
  }
  return 1;
}
