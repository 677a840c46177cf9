// What one GPU says of its power, clocks and temperature right now.
#pragma once

#include <string>
#include <vector>

#include "analyzer/session/session.h"
#include "collector/nvml/nvml_api.h"

namespace ridgepoint::collector {

struct NvmlGpu {
  NvmlDevice handle = nullptr;
  std::string pci_bus_id;
};

// Those that this process may see. NVML does not follow CUDA_VISIBLE_DEVICES.
std::vector<NvmlGpu> nvml_gpus(const NvmlApi& nvml);
// "00000000:19:00.0" and "0000:19:00.0" are one: the domain has 4 digits in CUDA and 8 in NVML.
bool same_pci_bus_id(const std::string& one, const std::string& other);

// What the device does not report, or this NVML cannot ask for, is NaN or empty. The caller fills
// in time and device. Power is the momentary one where the driver has it, else NVML's average.
PowerSample read_power(const NvmlApi& nvml, NvmlDevice device);

}  // namespace ridgepoint::collector
