// Owners of CUDA objects: memory, streams, events. Each frees what it holds, silently.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct FreeDeviceMemory {
  void operator()(void* memory) const { cudaFree(memory); }
};
using DeviceMemory = std::unique_ptr<void, FreeDeviceMemory>;

struct DestroyStream {
  void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
};
using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream>;

struct DestroyEvent {
  void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
};
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent>;

// `what` names the memory in the error: "the 4,294,967,296 bytes of scratch memory of naive".
// Zero bytes give a null pointer.
Result<DeviceMemory> allocate_device(std::size_t bytes, const std::string& what);
Result<Stream> create_stream();
Result<Event> create_event();

}  // namespace ridgepoint::collector
