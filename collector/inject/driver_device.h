// What the driver says of a device, asked through the libcuda that the program has loaded: inside
// somebody else's process the CUDA runtime must not be started a second time.
#pragma once

#include <cstdint>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint::collector {

Result<DeviceInfo> describe_driver_device(std::uint32_t ordinal);

}  // namespace ridgepoint::collector
