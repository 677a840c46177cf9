// The little of NVML that is asked here. CUDA toolkits install its header apart, and nothing links
// the library; names and values are those of nvml.h, whose interface NVIDIA keeps stable.
#pragma once

struct nvmlDevice_st;

namespace ridgepoint::collector {

using NvmlDevice = nvmlDevice_st*;
inline constexpr int nvml_success = 0;
inline constexpr unsigned nvml_name_bytes = 96;          // NVML_DEVICE_NAME_V2_BUFFER_SIZE
inline constexpr int nvml_virtualization_mode_vgpu = 2;  // NVML_GPU_VIRTUALIZATION_MODE_VGPU

using NvmlStart = int (*)();                                 // nvmlInit_v2, nvmlShutdown
using NvmlGetCount = int (*)(unsigned* count);               // nvmlDeviceGetCount_v2
using NvmlGetHandle = int (*)(unsigned index, NvmlDevice*);  // nvmlDeviceGetHandleByIndex_v2
using NvmlGetName = int (*)(NvmlDevice, char*, unsigned);    // nvmlDeviceGetName
using NvmlGetMig = int (*)(NvmlDevice, unsigned* current, unsigned* pending);
using NvmlGetVirtualization = int (*)(NvmlDevice, int* mode);

}  // namespace ridgepoint::collector
