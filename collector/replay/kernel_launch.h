// A kernel launch kept for later: the program's arguments live only as long as its call.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collector/cupti/kernel_records.h"
#include "collector/replay/driver_api.h"

namespace ridgepoint::collector {

class KernelLaunch {
 public:
  // `id` and `parameters` are those of CUPTI's callback. Fails when the launch cannot be made
  // again, and says why.
  static Result<KernelLaunch> copy(const DriverApi& driver, std::uint32_t id,
                                   const void* parameters);
  // Adds to a launch what its call alone does not say: registers, memory, required cluster, stream.
  static void describe(const DriverApi& driver, std::uint32_t id, const void* parameters,
                       KernelRecord& shape);
  // Has the driver load its code now, if it has not (CUDA_MODULE_LOADING=LAZY, the default).
  static void load(const DriverApi& driver, std::uint32_t id, const void* parameters);
  static CUstream stream_of(std::uint32_t id, const void* parameters);

  // Makes it again, on another stream.
  CUresult run(CUstream stream) const;
  CUfunction function() const { return function_; }
  // Every 8-byte word of the arguments: what may be a pointer.
  std::vector<std::uint64_t> words() const;

 private:
  explicit KernelLaunch(const DriverApi& driver) : driver_(&driver) {}
  Status copy_arguments(void* const* pointers, void* const* extra);
  void copy_attributes(const CUlaunchConfig& config);

  const DriverApi* driver_;
  CUfunction function_ = nullptr;  // never a CUkernel
  CUlaunchConfig config_ = {};
  std::vector<CUlaunchAttribute> attributes_;
  std::vector<std::uint64_t> arguments_;  // bytes, aligned as any argument may ask
  std::vector<std::size_t> offsets_;      // in bytes, one an argument; empty: packed by the program
  std::size_t bytes_ = 0;
};

}  // namespace ridgepoint::collector
