// What NVML says of the GPUs, and of what keeps their counters from being read.
#pragma once

#include <vector>

#include "collector/doctor/doctor.h"
#include "collector/nvml/nvml_api.h"

namespace ridgepoint::collector {

// Each GPU with its name, whether it is cut into slices or virtual, and confidential computing,
// which is the machine's. `nvml` has been started.
std::vector<Check> nvml_checks(const NvmlApi& nvml);

// Instead of them where NVML cannot be loaded or started.
Check nvml_silent();

}  // namespace ridgepoint::collector
