#include "collector/ceilings/device_uuid.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "collector/ceilings/store.h"
#include "collector/cuda/cuda_error.h"

namespace ridgepoint::collector {

Result<std::string> device_uuid(int device) {
  cudaDeviceProp properties = {};
  if (const cudaError_t code = cudaGetDeviceProperties(&properties, device); code != cudaSuccess) {
    return cuda_failure(code, fmt::format("identifying GPU {}", device));
  }
  std::array<unsigned char, 16> uuid{};
  std::copy(std::begin(properties.uuid.bytes), std::end(properties.uuid.bytes), uuid.begin());
  return device_uuid_text(uuid);
}

}  // namespace ridgepoint::collector
