#include "collector/cupti/kernel_records.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"
#include "collector/cupti/kernel_record_of.h"

namespace ridgepoint::collector {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20U;
constexpr std::size_t buffer_alignment = 8;  // asked for by cuptiActivityRegisterCallbacks

// CUPTI's callbacks carry no user data and come from its own thread, hence process-wide state.
struct Recording {
  std::mutex mutex;
  const CuptiApi* api = nullptr;
  KernelRecords kernels;
};
Recording& recording() {
  static Recording state;
  return state;
}

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
  // CUPTI drops the records when it gets no buffer, and counts them.
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
  *size = *buffer == nullptr ? 0 : buffer_bytes;
  *max_records = 0;
}

void CUPTIAPI buffer_completed(CUcontext /*context*/, std::uint32_t /*stream*/,
                               std::uint8_t* buffer, std::size_t /*size*/, std::size_t valid) {
  Recording& state = recording();
  const std::lock_guard<std::mutex> lock(state.mutex);
  CUpti_Activity* record = nullptr;
  while (state.api != nullptr && valid > 0 &&
         state.api->cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
        record->kind == CUPTI_ACTIVITY_KIND_KERNEL) {
      state.kernels.records.push_back(
          kernel_record_of(*reinterpret_cast<const CUpti_ActivityKernel10*>(record)));
    }
  }
  std::free(buffer);
}

}  // namespace

Status start_kernel_records(const CuptiApi& api) {
  Recording& state = recording();
  {
    const std::lock_guard<std::mutex> lock(state.mutex);
    state.api = &api;
    state.kernels = {};
  }
  const std::string what = "recording kernel launches";
  if (const auto code = api.cuptiActivityRegisterCallbacks(buffer_requested, buffer_completed);
      code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, what);
  }
  return cupti_status(api, api.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), what);
}

Result<KernelRecords> stop_kernel_records(const CuptiApi& api) {
  const std::string what = "reading the records of kernel launches";
  const auto flushed = api.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const auto disabled = api.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  if (flushed != CUPTI_SUCCESS || disabled != CUPTI_SUCCESS) {
    return cupti_failure(api, flushed != CUPTI_SUCCESS ? flushed : disabled, what);
  }
  Recording& state = recording();
  const std::lock_guard<std::mutex> lock(state.mutex);
  KernelRecords kernels = std::move(state.kernels);
  state.kernels = {};
  std::size_t dropped = 0;
  if (const auto code = api.cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped);
      code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, what);
  }
  kernels.dropped = dropped;
  // Correlation ids count up with the launches; records come a buffer at a time.
  std::sort(
      kernels.records.begin(), kernels.records.end(),
      [](const KernelRecord& a, const KernelRecord& b) { return a.correlation < b.correlation; });
  return kernels;
}

}  // namespace ridgepoint::collector
