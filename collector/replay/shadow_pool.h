// Spare device memory for copies of the program's memory. Taken in large chunks, and never so much
// that the program could run short.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "collector/replay/driver_api.h"

namespace ridgepoint::collector {

// Left free for the program, which may allocate at any time.
inline constexpr std::size_t memory_left_free = std::size_t{1} << 30U;

// Must be used with the context current, and outlive what it gives.
class ShadowPool {
 public:
  explicit ShadowPool(const DriverApi& driver) : driver_(&driver) {}
  // At least `bytes`, aligned for any access; gives itself back with the last owner. Fails when too
  // little device memory is free.
  Result<std::shared_ptr<const CUdeviceptr>> take(std::size_t bytes);
  std::size_t held_bytes() const { return held_; }
  bool holds(CUdeviceptr address) const;
  // Everything must have been given back.
  void release();

 private:
  Status grow(std::size_t block);

  const DriverApi* driver_;
  std::map<CUdeviceptr, std::size_t> chunks_;             // and their bytes
  std::map<std::size_t, std::vector<CUdeviceptr>> free_;  // by size, a power of two
  CUdeviceptr next_ = 0;                                  // the unused end of the newest chunk
  std::size_t left_ = 0;
  std::size_t held_ = 0;
};

}  // namespace ridgepoint::collector
