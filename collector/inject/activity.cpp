#include "collector/inject/activity.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"
#include "collector/cupti/kernel_record_of.h"
#include "collector/inject/grid_numbers.h"
#include "collector/inject/nvtx_entry.h"
#include "collector/inject/recorder.h"

namespace ridgepoint::collector {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20U;
constexpr std::uint32_t no_device = 0x7fffffff;
constexpr std::size_t buffer_alignment = 8;  // asked for by cuptiActivityRegisterCallbacks

// CUPTI's callbacks carry no user data.
const CuptiApi* cupti = nullptr;
Recorder* target = nullptr;
GridNumbers* grids = nullptr;
std::atomic<std::size_t> dropped{0};
std::atomic<std::size_t> from_graphs{0};
std::atomic<std::size_t> whole_graphs{0};

// The launches of graphs whose nodes are recorded, by correlation. Beyond the limit they are no
// longer told apart.
class GraphLaunches {
 public:
  void saw(std::uint32_t correlation) {
    if (correlation == last_) {
      return;
    }
    last_ = correlation;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (seen_.size() < limit) {
      seen_.insert(correlation);
    }
  }
  std::optional<std::size_t> count() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return seen_.size() < limit ? std::optional(seen_.size()) : std::nullopt;
  }

 private:
  static constexpr std::size_t limit = std::size_t{1} << 20U;
  std::atomic<std::uint32_t> last_{0};
  std::mutex mutex_;
  std::unordered_set<std::uint32_t> seen_;
};
GraphLaunches& graphs_by_node() {
  static auto* graphs = new GraphLaunches;
  return *graphs;
}

// Buffers that CUPTI gave back, for the next time it asks: memory that is new costs a page fault
// for every twenty records, on the thread that launches.
class SpareBuffers {
 public:
  std::uint8_t* take() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!spare_.empty()) {
        std::uint8_t* buffer = spare_.back();
        spare_.pop_back();
        return buffer;
      }
    }
    return static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
  }
  void give(std::uint8_t* buffer) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (spare_.size() < spare_.capacity()) {
        spare_.push_back(buffer);
        return;
      }
    }
    std::free(buffer);
  }
  SpareBuffers() { spare_.reserve(most_spare); }

 private:
  static constexpr std::size_t most_spare = 16;
  std::mutex mutex_;
  std::vector<std::uint8_t*> spare_;
};

// Never destroyed: CUPTI may deliver until the very end.
SpareBuffers& spare_buffers() {
  static auto* buffers = new SpareBuffers;
  return *buffers;
}

std::uint64_t CUPTIAPI timestamp() {
  return static_cast<std::uint64_t>(wall_clock_ns());
}

const char* memory_name(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "copy host to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "copy device to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "copy device to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return "copy host to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return "copy between devices";
    default:
      return "copy";
  }
}

template <class Record>
MemoryOperation operation_of(const Record& record, const char* kind) {
  MemoryOperation operation;
  operation.kind = kind;
  operation.stream = record.streamId;
  operation.bytes = record.bytes;
  operation.start_ns = static_cast<std::int64_t>(record.start);
  operation.end_ns = static_cast<std::int64_t>(record.end);
  return operation;
}

void take(const CUpti_Activity& record) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL: {
      const auto& kernel = reinterpret_cast<const CUpti_ActivityKernel10&>(record);
      if (kernel.graphId != 0) {
        ++from_graphs;
        graphs_by_node().saw(kernel.correlationId);
      } else if (grids != nullptr) {
        grids->recorded(kernel.gridId);
      }
      target->record(kernel.deviceId, kernel_record_of(kernel));
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy6&>(record);
      if (copy.graphId != 0) {
        graphs_by_node().saw(copy.correlationId);
      }
      target->memory_operation(copy.deviceId, operation_of(copy, memory_name(copy.copyKind)));
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& fill = reinterpret_cast<const CUpti_ActivityMemset4&>(record);
      if (fill.graphId != 0) {
        graphs_by_node().saw(fill.correlationId);
      }
      target->memory_operation(fill.deviceId, operation_of(fill, "fill"));
      break;
    }
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE: {
      const auto& graph = reinterpret_cast<const CUpti_ActivityGraphTrace2&>(record);
      ++whole_graphs;
      GraphRecord whole;
      whole.id = graph.graphId;
      whole.stream = graph.streamId;
      whole.correlation = graph.correlationId;
      whole.start_ns = static_cast<std::int64_t>(graph.start);
      whole.end_ns = static_cast<std::int64_t>(graph.end);
      // A graph may begin with work of the host's, which is on no device.
      target->graph(graph.deviceId < no_device ? graph.deviceId : 0, whole);
      break;
    }
    default:
      break;
  }
}

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
  // CUPTI drops the records when it gets no buffer, and counts them.
  *buffer = spare_buffers().take();
  *size = *buffer == nullptr ? 0 : buffer_bytes;
  *max_records = 0;
}

void CUPTIAPI buffer_completed(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                               std::size_t /*size*/, std::size_t valid) {
  try {
    CUpti_Activity* record = nullptr;
    while (valid > 0 &&
           cupti->cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
      take(*record);
    }
    std::size_t lost = 0;
    if (cupti->cuptiActivityGetNumDroppedRecords(context, stream, &lost) == CUPTI_SUCCESS) {
      dropped += lost;
    }
  } catch (...) {
    ++dropped;  // out of memory: never through CUPTI's frames
  }
  if (buffer != nullptr) {
    spare_buffers().give(buffer);
  }
}

bool switch_kind(const CuptiApi& api, CUpti_ActivityKind kind, bool on) {
  return (on ? api.cuptiActivityEnable(kind) : api.cuptiActivityDisable(kind)) == CUPTI_SUCCESS;
}

}  // namespace

Status start_activity(const CuptiApi& api, Recorder& recorder, bool memory_operations) {
  cupti = &api;
  target = &recorder;
  const std::string what = "recording what the GPU does";
  if (const auto code = api.cuptiActivityRegisterTimestampCallback(timestamp);
      code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, what);
  }
  if (const auto code = api.cuptiActivityRegisterCallbacks(buffer_requested, buffer_completed);
      code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, what);
  }
  std::vector<CUpti_ActivityKind> wanted = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
  if (memory_operations) {
    wanted.insert(wanted.end(), {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET});
  }
  for (const CUpti_ActivityKind kind : wanted) {
    if (const auto code = api.cuptiActivityEnable(kind); code != CUPTI_SUCCESS) {
      return cupti_failure(api, code, what);
    }
  }
  return {};
}

bool record_kernels(const CuptiApi& api, bool on) {
  return switch_kind(api, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, on);
}

bool record_copies(const CuptiApi& api, bool on) {
  const bool copies = switch_kind(api, CUPTI_ACTIVITY_KIND_MEMCPY, on);
  return switch_kind(api, CUPTI_ACTIVITY_KIND_MEMSET, on) && copies;
}

bool record_whole_graphs(const CuptiApi& api, bool on) {
  return switch_kind(api, CUPTI_ACTIVITY_KIND_GRAPH_TRACE, on);
}

void number_grids(GridNumbers* numbers) {
  grids = numbers;
}

void flush_activity(const CuptiApi& api, bool all) {
  api.cuptiActivityFlushAll(all ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
}

std::size_t dropped_activity() {
  return dropped;
}

std::size_t graph_kernels() {
  return from_graphs;
}

std::optional<std::size_t> graph_launches() {
  const std::optional<std::size_t> by_node = graphs_by_node().count();
  return by_node ? std::optional(*by_node + whole_graphs) : std::nullopt;
}

}  // namespace ridgepoint::collector
