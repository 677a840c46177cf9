// The name under which a device's ceilings are kept (store.h), by the CUDA runtime.
#pragma once

#include <string>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

Result<std::string> device_uuid(int device);

}  // namespace ridgepoint::collector
