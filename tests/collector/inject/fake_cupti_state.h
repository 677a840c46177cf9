// What the parts of the fake CUPTI share: who listens, what has been recorded, one context a
// device.
#pragma once

#include <cstring>
#include <deque>
#include <mutex>
#include <set>

#include "collector/cupti/cupti_api.h"
#include "tests/collector/inject/fake_gpu.h"

namespace ridgepoint::test {

struct FakeCupti {
  CUpti_CallbackFunc callback = nullptr;
  void* user = nullptr;
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
  std::deque<CUpti_ActivityKernel10> records;
  std::size_t read = 0;
  std::uint32_t launches = 0;
  std::int64_t grids = 0;         // CUPTI's numbers of kernels, given to launches that fail too
  std::set<int> kinds;            // of records that are taken
  std::set<std::uint32_t> heard;  // driver calls with callbacks
  std::uint32_t grid = 7;
  bool graph_made = false;
  bool graph_traced = false;  // records of graphs were asked for before it was made
  bool left = false;          // cuptiFinalize() was called
};
FakeCupti& fake();

// FAKE_CUPTI_CHIP: a chip of which this CUPTI knows no counters.
inline constexpr const char* known_chip = "GH100";

// One context on each device, which is its range profiler too.
CUcontext context_of(int device);
int device_of(const void* context);

inline std::mutex& mutex() {
  return fake_gpu().mutex;
}

// Tells whoever listens to this driver call, as CUPTI does before and after it.
void call_back(CUpti_CallbackId id, CUpti_ApiCallbackSite site, std::uint32_t correlation,
               const char* name, const void* parameters, CUresult& result);

template <class Parameters, class Body>
void driver_call(CUpti_CallbackId id, const Parameters& parameters, Body body,
                 CUresult result = CUDA_SUCCESS) {
  call_back(id, CUPTI_API_ENTER, 0, nullptr, &parameters, result);
  body();
  call_back(id, CUPTI_API_EXIT, 0, nullptr, &parameters, result);
}

// With the mutex held.
template <class Activity>
void add_record(const Activity& activity) {
  CUpti_ActivityKernel10 record;
  static_assert(sizeof(activity) <= sizeof(record));
  std::memset(&record, 0, sizeof(record));
  std::memcpy(&record, &activity, sizeof(activity));
  fake().records.push_back(record);
}

}  // namespace ridgepoint::test
