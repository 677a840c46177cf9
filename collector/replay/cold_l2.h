// An L2 that holds nothing of the program.
//
// Best through the resource manager, which writes L2 back and invalidates it, as Nsight Compute has
// it done. Whether that works is measured once: a guest of a vGPU is told that it did. Where it
// does not, a buffer of four times L2 is read: L2 is then full of clean lines of it. To a kernel
// that is almost the same; the traffic between the halves of an H100's L2 differs by 1 %.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collector/replay/memory_kernels.h"
#include "collector/replay/resource_manager.h"
#include "collector/replay/shadow_pool.h"
#include "collector/replay/wait.h"

namespace ridgepoint::collector {

// Life cycle: prepare() before each use, which is free once it has been -> empty() ->
// release_memory() gives the buffer back; prepare() takes another. With the context current, and
// all on one stream.
class ColdL2 {
 public:
  // All of them outlive it, and the stream.
  ColdL2(const DriverApi& driver, const MemoryKernels& kernels, ShadowPool& pool,
         const WaitedStream& stream, const DeviceFileCalls& files = system_device_files())
      : driver_(&driver), kernels_(&kernels), pool_(&pool), stream_(stream), files_(&files) {}

  // Fails where there is no memory, or the GPU does not end its work in time: then nothing is
  // decided. A measurement that was late is made once more, and when it is late again the buffer is
  // the way.
  Status prepare();
  // After all that the stream was given. `launches` grows by the kernels it takes. Where the driver
  // refuses, the next prepare() looks for the way again, since the program may have become another
  // user; a second time the buffer is the way.
  Status empty(std::size_t& launches);
  // Meaningful after prepare().
  bool invalidates() const { return manager_.has_value(); }
  // Why it is filled instead; empty where it is not, and before prepare().
  const std::string& why_filled() const { return why_filled_; }
  void release_memory();

 private:
  Status find_way(CUdevice device);
  Status find_way_in_time(CUdevice device);
  Result<bool> goes_cold(const ResourceManager& manager, CUdeviceptr chain) const;
  Status take_buffer(CUdevice device);

  const DriverApi* driver_;
  const MemoryKernels* kernels_;
  ShadowPool* pool_;
  WaitedStream stream_;
  const DeviceFileCalls* files_;
  bool way_found_ = false;
  bool was_refused_ = false;
  int late_measurements_ = 0;
  std::optional<ResourceManager> manager_;
  std::string why_filled_;
  std::vector<std::shared_ptr<const CUdeviceptr>> memory_;
  PieceTable buffer_;
};

}  // namespace ridgepoint::collector
