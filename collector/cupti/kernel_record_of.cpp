#include "collector/cupti/kernel_record_of.h"

#include "collector/cupti/cupti_api.h"

namespace ridgepoint::collector {
namespace {

Dim3 dim3_of(std::int64_t x, std::int64_t y, std::int64_t z) {
  // A launch without clusters is recorded as cluster 0 x 0 x 0.
  const auto positive = [](std::int64_t n) { return static_cast<std::uint32_t>(n > 0 ? n : 1); };
  return {positive(x), positive(y), positive(z)};
}

}  // namespace

KernelRecord kernel_record_of(const CUpti_ActivityKernel10& kernel) {
  KernelRecord record;
  record.mangled = kernel.name == nullptr ? "" : kernel.name;
  record.stream = kernel.streamId;
  record.grid = dim3_of(kernel.gridX, kernel.gridY, kernel.gridZ);
  record.block = dim3_of(kernel.blockX, kernel.blockY, kernel.blockZ);
  record.cluster = dim3_of(kernel.clusterX, kernel.clusterY, kernel.clusterZ);
  record.registers_per_thread = kernel.registersPerThread;
  record.static_smem_bytes = kernel.staticSharedMemory;
  record.dynamic_smem_bytes = kernel.dynamicSharedMemory;
  record.local_bytes_per_thread = kernel.localMemoryPerThread;
  record.start_ns = static_cast<std::int64_t>(kernel.start);
  record.end_ns = static_cast<std::int64_t>(kernel.end);
  record.correlation = kernel.correlationId;
  return record;
}

}  // namespace ridgepoint::collector
