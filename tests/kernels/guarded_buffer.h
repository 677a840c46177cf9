// Device memory that shows mistakes: poisoned with NaN, between two bands that nobody may write.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/runtime/device_buffer.h"

namespace ridgepoint::kernels {

inline constexpr std::size_t band_bytes = 4096;
inline constexpr int poison = 0xFF;  // NaN as FP16, BF16 and FP32

// A tensor between two bands, all of it poisoned.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes) : buffer_(bytes + 2 * band_bytes), bytes_(bytes) {
    if (buffer_.error() == cudaSuccess) {
      cudaMemset(buffer_.data(), poison, buffer_.bytes());
    }
  }
  std::byte* data() const { return buffer_.data() + band_bytes; }
  cudaError_t error() const { return buffer_.error(); }
  void set(const void* values) const { cudaMemcpy(data(), values, bytes_, cudaMemcpyHostToDevice); }
  void get(void* values) const { cudaMemcpy(values, data(), bytes_, cudaMemcpyDeviceToHost); }
  void poison_again() const { cudaMemset(data(), poison, bytes_); }
  bool bands_intact() const {
    std::vector<unsigned char> band(band_bytes);
    for (const std::byte* start : {buffer_.data(), data() + bytes_}) {
      cudaMemcpy(band.data(), start, band_bytes, cudaMemcpyDeviceToHost);
      if (!std::all_of(band.begin(), band.end(), [](unsigned char b) { return b == poison; })) {
        return false;
      }
    }
    return true;
  }

 private:
  DeviceBuffer buffer_;
  std::size_t bytes_;
};

}  // namespace ridgepoint::kernels
