#include "collector/replay/memory_kernels.h"

#include <algorithm>

namespace ridgepoint::collector {

// memory_kernels.cu as PTX, made by the build. The driver compiles it for the chip at hand.
extern const char memory_kernels_ptx[];

Result<MemoryKernels> MemoryKernels::load(const DriverApi& driver) {
  const char* what = "loading the kernels that save and restore memory";
  CUmodule module = nullptr;
  if (const Status loaded =
          driver_status(driver, driver.module_load(&module, memory_kernels_ptx), what);
      !loaded) {
    return tl::make_unexpected(loaded.error());
  }
  MemoryKernels kernels(driver, module);
  for (const auto& [name, function] : {std::pair("ridgepoint_compare", &kernels.compare_),
                                       std::pair("ridgepoint_restore", &kernels.restore_),
                                       std::pair("ridgepoint_read", &kernels.read_),
                                       std::pair("ridgepoint_latency", &kernels.latency_)}) {
    if (const Status found =
            driver_status(driver, driver.module_function(function, module, name), what);
        !found) {
      kernels.unload();
      return tl::make_unexpected(found.error());
    }
  }
  return kernels;
}

void MemoryKernels::unload() {
  if (module_ != nullptr) {
    driver_->module_unload(module_);
    module_ = nullptr;
  }
}

Status MemoryKernels::launch(CUfunction kernel, const PieceTable& pieces, void** arguments,
                             CUstream stream, const char* what) const {
  constexpr unsigned largest_grid_y = 65535;
  if (pieces.count == 0) {
    return {};
  }
  CUlaunchConfig config = {};
  config.gridDimX = blocks_per_piece;
  config.gridDimY = std::min(pieces.count, largest_grid_y);
  config.gridDimZ = 1;
  config.blockDimX = memory_kernel_threads;
  config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream;
  return driver_status(*driver_, driver_->launch(&config, kernel, arguments, nullptr), what);
}

Status MemoryKernels::compare(const PieceTable& pieces, CUdeviceptr changed,
                              CUstream stream) const {
  CUdeviceptr table = pieces.address;
  unsigned count = pieces.count;
  void* arguments[] = {&table, &count, &changed};
  return launch(compare_, pieces, arguments, stream, "comparing device memory");
}

Status MemoryKernels::restore(const PieceTable& pieces, CUstream stream) const {
  CUdeviceptr table = pieces.address;
  unsigned count = pieces.count;
  void* arguments[] = {&table, &count};
  return launch(restore_, pieces, arguments, stream, "restoring device memory");
}

Status MemoryKernels::read(const PieceTable& pieces, CUstream stream) const {
  CUdeviceptr table = pieces.address;
  unsigned count = pieces.count;
  void* arguments[] = {&table, &count};
  return launch(read_, pieces, arguments, stream, "bringing the caches into a known state");
}

Status MemoryKernels::latency(CUdeviceptr chain, CUdeviceptr cycles, CUstream stream) const {
  void* arguments[] = {&chain, &cycles};
  CUlaunchConfig config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream;
  return driver_status(*driver_, driver_->launch(&config, latency_, arguments, nullptr),
                       "measuring the latency of L2");
}

}  // namespace ridgepoint::collector
