// Owns a piece of device memory. Life cycle: make it, `error()` says whether the allocation worked,
// freed on destruction.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>

namespace ridgepoint::kernels {

class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t bytes) : bytes_(bytes) {
    if (bytes > 0) {
      error_ = cudaMalloc(&data_, bytes);
    }
  }
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(DeviceBuffer&& other) noexcept { *this = std::move(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(error_, other.error_);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  std::byte* data() const { return static_cast<std::byte*>(data_); }
  std::size_t bytes() const { return bytes_; }
  cudaError_t error() const { return error_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  cudaError_t error_ = cudaSuccess;
};

}  // namespace ridgepoint::kernels
