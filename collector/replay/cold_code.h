// Instruction and constant caches that hold nothing of the program.
//
// Evicting L2 leaves them as they are: a kernel that runs again finds its code in the caches of the
// SMs, and reads less through L2 than it did the first time (lts__t_sectors_srcunit_gcc: 192
// sectors instead of 9,024 for 32 KiB of code; H200, CUDA 13.0). CUDA has no call that empties
// them. The driver does it when it puts code into memory, so a small module is loaded and unloaded:
// 0.13 ms, and what that leaves dirty in L2 is what evicting L2 comes after it for.
#pragma once

#include <string>

#include "collector/replay/driver_api.h"

namespace ridgepoint::collector {

// Life cycle: create() with the context current -> empty_caches() as often as wanted.
class ColdCode {
 public:
  static Result<ColdCode> create(const DriverApi& driver);
  // With the context current, and best while it is idle: the driver may wait for it.
  Status empty_caches() const;

 private:
  ColdCode(const DriverApi& driver, std::string cubin)
      : driver_(&driver), cubin_(std::move(cubin)) {}

  const DriverApi* driver_;
  std::string cubin_;  // for the chip at hand, so that nothing is compiled again
};

}  // namespace ridgepoint::collector
