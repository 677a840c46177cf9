#include "collector/cuda/handles.h"

#include "collector/cuda/cuda_error.h"

namespace ridgepoint::collector {

Result<DeviceMemory> allocate_device(std::size_t bytes, const std::string& what) {
  if (bytes == 0) {
    return DeviceMemory();
  }
  void* memory = nullptr;
  if (const cudaError_t code = cudaMalloc(&memory, bytes); code != cudaSuccess) {
    cudaGetLastError();  // an allocation failure is not sticky, but it stays the last error
    return cuda_failure(code, "allocating " + what + " on the GPU");
  }
  return DeviceMemory(memory);
}

Result<Stream> create_stream() {
  cudaStream_t stream = nullptr;
  if (const cudaError_t code = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
      code != cudaSuccess) {
    return cuda_failure(code, "creating a CUDA stream");
  }
  return Stream(stream);
}

Result<Event> create_event() {
  cudaEvent_t event = nullptr;
  if (const cudaError_t code = cudaEventCreate(&event); code != cudaSuccess) {
    return cuda_failure(code, "creating a CUDA event");
  }
  return Event(event);
}

}  // namespace ridgepoint::collector
