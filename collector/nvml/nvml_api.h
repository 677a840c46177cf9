// NVML as a struct of function pointers, so that tests can put a fake in its place. CUDA toolkits
// install its header apart, and nothing links the library: the few types and values stand here as
// NVML's reference documents them. NVIDIA keeps this interface stable; functions that changed have
// their version in the name.
#pragma once

struct nvmlDevice_st;

namespace ridgepoint::collector {

using NvmlDevice = nvmlDevice_st*;
inline constexpr int nvml_success = 0;
inline constexpr int nvml_not_supported = 3;             // NVML_ERROR_NOT_SUPPORTED
inline constexpr unsigned nvml_name_bytes = 96;          // NVML_DEVICE_NAME_V2_BUFFER_SIZE
inline constexpr int nvml_virtualization_mode_vgpu = 2;  // NVML_GPU_VIRTUALIZATION_MODE_VGPU
inline constexpr int nvml_clock_sm = 1;                  // NVML_CLOCK_SM
inline constexpr int nvml_clock_mem = 2;                 // NVML_CLOCK_MEM
inline constexpr int nvml_temperature_gpu = 0;           // NVML_TEMPERATURE_GPU
// NVML_FI_DEV_POWER_INSTANT: nvmlDeviceGetPowerUsage averages over a second from Ampere on.
inline constexpr unsigned nvml_field_power_instant = 186;
inline constexpr int nvml_value_unsigned_int = 1;  // NVML_VALUE_TYPE_UNSIGNED_INT

// nvmlPciInfo_t, third version.
struct NvmlPciInfo {
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;
  unsigned pci_subsystem_id;
  char bus_id[32];
};

// nvmlFieldValue_t.
struct NvmlFieldValue {
  unsigned field_id;
  unsigned scope_id;
  long long timestamp;
  long long latency_us;
  int value_type;
  int status;
  union {
    double real;
    unsigned integer;
    unsigned long long wide;
  } value;
};

// nvmlConfComputeSystemState_t, of drivers from 535 on.
struct NvmlConfidentialState {
  unsigned environment;
  unsigned feature;   // 1: confidential computing is on
  unsigned devtools;  // 1: counters may be read all the same, and nothing is confidential
};

// nvmlSystemConfComputeSettings_v1_t, of drivers from 550 on; `version` is filled in by the caller.
struct NvmlConfidentialSettings {
  unsigned version;
  unsigned environment;
  unsigned feature;
  unsigned devtools;
  unsigned multi_gpu;  // 1: protected PCIe, several GPUs in one confidential machine
};
// NVML_STRUCT_VERSION(SystemConfComputeSettings, 1).
inline constexpr unsigned nvml_confidential_settings_version =
    sizeof(NvmlConfidentialSettings) | (1U << 24U);

// One function a field, null where this NVML lacks it.
struct NvmlApi {
  int (*nvmlInit_v2)() = nullptr;
  int (*nvmlShutdown)() = nullptr;
  const char* (*nvmlErrorString)(int) = nullptr;
  int (*nvmlDeviceGetCount_v2)(unsigned* count) = nullptr;
  int (*nvmlDeviceGetHandleByIndex_v2)(unsigned index, NvmlDevice*) = nullptr;
  int (*nvmlDeviceGetName)(NvmlDevice, char*, unsigned bytes) = nullptr;
  int (*nvmlDeviceGetMigMode)(NvmlDevice, unsigned* current, unsigned* pending) = nullptr;
  int (*nvmlDeviceGetVirtualizationMode)(NvmlDevice, int* mode) = nullptr;
  int (*nvmlDeviceGetPciInfo_v3)(NvmlDevice, NvmlPciInfo*) = nullptr;
  int (*nvmlDeviceGetClockInfo)(NvmlDevice, int clock, unsigned* mhz) = nullptr;
  int (*nvmlDeviceGetPowerUsage)(NvmlDevice, unsigned* milliwatt) = nullptr;
  int (*nvmlDeviceGetFieldValues)(NvmlDevice, int count, NvmlFieldValue*) = nullptr;
  int (*nvmlDeviceGetTotalEnergyConsumption)(NvmlDevice, unsigned long long* millijoule) = nullptr;
  int (*nvmlDeviceGetTemperature)(NvmlDevice, int sensor, unsigned* celsius) = nullptr;
  // Later versions call it nvmlDeviceGetCurrentClocksEventReasons and keep this name too.
  int (*nvmlDeviceGetCurrentClocksThrottleReasons)(NvmlDevice, unsigned long long*) = nullptr;
  int (*nvmlSystemGetConfComputeState)(NvmlConfidentialState*) = nullptr;
  int (*nvmlSystemGetConfComputeSettings)(NvmlConfidentialSettings*) = nullptr;
};

}  // namespace ridgepoint::collector
