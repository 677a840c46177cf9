#include "collector/cuda/device.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <array>

#include "collector/cuda/cuda_error.h"
#include "collector/cuda/driver_version.h"

namespace ridgepoint::collector {
namespace {

// CUDA numbers versions 1000 * major + 10 * minor.
std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

Status select_device(int device) {
  int count = 0;
  if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess) {
    return cuda_failure(code, "looking for an NVIDIA GPU");
  }
  if (device < 0 || device >= count) {
    return cuda_failure(cudaErrorInvalidDevice,
                        fmt::format("choosing GPU {} of {}", device, count));
  }
  return cuda_status(cudaSetDevice(device), fmt::format("opening GPU {}", device));
}

Result<CUctx_st*> current_context() {
  const std::string what = "asking the driver for the current context";
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  // 4000: cuCtxGetCurrent has had this form since CUDA 4.0.
  if (const cudaError_t code = cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &entry, 4000,
                                                                cudaEnableDefault, &found);
      code != cudaSuccess) {
    return cuda_failure(code, what);
  }
  if (found != cudaDriverEntryPointSuccess || entry == nullptr) {
    return fail(ErrorDomain::device, what, "the driver has no cuCtxGetCurrent");
  }
  CUcontext context = nullptr;
  const CUresult code = reinterpret_cast<decltype(&cuCtxGetCurrent)>(entry)(&context);
  if (code != CUDA_SUCCESS || context == nullptr) {
    return fail(ErrorDomain::device, what, "there is none", {}, code);
  }
  return context;
}

Result<DeviceInfo> describe_device(int device) {
  const std::string what = fmt::format("describing GPU {}", device);
  cudaDeviceProp properties = {};
  if (const cudaError_t code = cudaGetDeviceProperties(&properties, device); code != cudaSuccess) {
    return cuda_failure(code, what);
  }
  DeviceInfo info;
  info.name = properties.name;
  info.compute_capability_major = properties.major;
  info.compute_capability_minor = properties.minor;
  info.sm_count = properties.multiProcessorCount;
  info.l2_bytes = properties.l2CacheSize;
  info.smem_per_sm_bytes = static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor);
  info.smem_per_block_bytes = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
  info.smem_reserved_per_block_bytes =
      static_cast<std::int64_t>(properties.reservedSharedMemPerBlock);
  info.registers_per_sm = properties.regsPerMultiprocessor;
  info.warps_per_sm = properties.maxThreadsPerMultiProcessor / properties.warpSize;
  info.blocks_per_sm = properties.maxBlocksPerMultiProcessor;
  info.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  info.memory_bus_bits = properties.memoryBusWidth;
  constexpr double hz_per_khz = 1e3;  // the unit of the two clock attributes
  int value = 0;
  if (cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, device) == cudaSuccess) {
    info.sm_clock_max_hz = value * hz_per_khz;
  }
  if (cudaDeviceGetAttribute(&value, cudaDevAttrMemoryClockRate, device) == cudaSuccess) {
    info.memory_clock_max_hz = value * hz_per_khz;
  }
  info.driver_version = kernel_driver_version();
  if (info.driver_version.empty() && cudaDriverGetVersion(&value) == cudaSuccess) {
    info.driver_version = "for CUDA " + version_text(value);
  }
  std::array<char, 32> bus_id{};
  if (cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), device) ==
      cudaSuccess) {
    info.pci_bus_id = bus_id.data();
  }
  if (cudaRuntimeGetVersion(&value) == cudaSuccess) {
    info.runtime_version = version_text(value);
  }
  return info;
}

}  // namespace ridgepoint::collector
