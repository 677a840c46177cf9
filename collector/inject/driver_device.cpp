#include "collector/inject/driver_device.h"

#include <cuda.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "collector/ceilings/store.h"
#include "collector/cuda/driver_version.h"

namespace ridgepoint::collector {
namespace {

constexpr double hz_per_khz = 1e3;  // the unit of the two clock attributes

template <class Function>
Function function_of(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

void describe_limits(decltype(&cuDeviceGetAttribute) get_attribute, CUdevice device,
                     DeviceInfo& info) {
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    return get_attribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
  };
  info.compute_capability_major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  info.compute_capability_minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  info.sm_count = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info.l2_bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  info.smem_per_sm_bytes = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  info.smem_per_block_bytes = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  info.smem_reserved_per_block_bytes =
      attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  info.registers_per_sm = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  if (const int warp = attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE); warp > 0) {
    info.warps_per_sm = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / warp;
  }
  info.blocks_per_sm = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  info.memory_bus_bits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  info.sm_clock_max_hz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) * hz_per_khz;
  info.memory_clock_max_hz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) * hz_per_khz;
}

}  // namespace

Result<DeviceInfo> describe_driver_device(std::uint32_t ordinal) {
  const std::string what = fmt::format("describing GPU {}", ordinal);
  // Only if it is there already; the handle is kept, as the library is never unloaded anyway.
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) {
    return fail(ErrorDomain::device, what, "the program has not loaded libcuda.so.1");
  }
  const auto get_device = function_of<decltype(&cuDeviceGet)>(library, "cuDeviceGet");
  const auto get_name = function_of<decltype(&cuDeviceGetName)>(library, "cuDeviceGetName");
  const auto get_memory =
      function_of<CUresult (*)(std::size_t*, CUdevice)>(library, "cuDeviceTotalMem_v2");
  const auto get_attribute =
      function_of<decltype(&cuDeviceGetAttribute)>(library, "cuDeviceGetAttribute");
  const auto get_version =
      function_of<decltype(&cuDriverGetVersion)>(library, "cuDriverGetVersion");
  CUdevice device = 0;
  if (get_device == nullptr || get_name == nullptr || get_memory == nullptr ||
      get_attribute == nullptr || get_version == nullptr ||
      get_device(&device, static_cast<int>(ordinal)) != CUDA_SUCCESS) {
    return fail(ErrorDomain::device, what, "the driver does not answer");
  }
  DeviceInfo info;
  std::array<char, 256> name{};
  if (get_name(name.data(), name.size() - 1, device) == CUDA_SUCCESS) {
    info.name = name.data();
  }
  std::size_t memory = 0;
  if (get_memory(&memory, device) == CUDA_SUCCESS) {
    info.memory_bytes = static_cast<std::int64_t>(memory);
  }
  describe_limits(get_attribute, device, info);
  info.driver_version = kernel_driver_version();
  const auto get_bus_id =
      function_of<decltype(&cuDeviceGetPCIBusId)>(library, "cuDeviceGetPCIBusId");
  std::array<char, 32> bus_id{};
  if (get_bus_id != nullptr &&
      get_bus_id(bus_id.data(), static_cast<int>(bus_id.size()), device) == CUDA_SUCCESS) {
    info.pci_bus_id = bus_id.data();
  }
  int version = 0;
  if (get_version(&version) == CUDA_SUCCESS) {
    // CUDA numbers versions 1000 * major + 10 * minor.
    const std::string newest = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
    if (info.driver_version.empty()) {
      info.driver_version = "for CUDA " + newest;
    }
  }
  // What `ridgepoint ceilings` measured here earlier; a run without them is complete as well.
  const auto get_uuid = function_of<CUresult (*)(CUuuid*, CUdevice)>(library, "cuDeviceGetUuid_v2");
  if (CUuuid uuid = {}; get_uuid != nullptr && get_uuid(&uuid, device) == CUDA_SUCCESS) {
    std::array<unsigned char, 16> bytes{};
    std::copy(std::begin(uuid.bytes), std::end(uuid.bytes), bytes.begin());
    info.measured_ceilings = stored_ceilings(ceilings_folder(), device_uuid_text(bytes), info)
                                 .value_or(std::vector<MeasuredCeiling>());
  }
  return info;
}

}  // namespace ridgepoint::collector
