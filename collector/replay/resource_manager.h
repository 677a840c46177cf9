// The resource manager: the part of NVIDIA's kernel driver that NVIDIA's libraries ask through
// /dev/nvidiactl, here for the one thing that CUDA has no call for: L2 written back and
// invalidated.
//
// The interface is that of the driver's open source (github.com/NVIDIA/open-gpu-kernel-modules,
// src/common/sdk/nvidia/inc: nvos.h, class/cl0080.h, class/cl2080.h, ctrl/ctrl0000/ctrl0000gpu.h,
// ctrl/ctrl2080/ctrl2080fb.h), from 535 on.
// The call, NV2080_CTRL_CMD_FB_FLUSH_GPU_CACHE, is open to every user of the GPU. It changes no
// contents of memory and may come at any time; others only find L2 empty.
#pragma once

#include <array>
#include <cstdint>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

// As cuDeviceGetUuid gives it.
using GpuUuid = std::array<unsigned char, 16>;

// What is asked of the operating system; tests give their own. As in <fcntl.h>, <sys/ioctl.h> and
// <unistd.h>, with errno.
struct DeviceFileCalls {
  int (*open)(const char* path);
  int (*control)(int file, unsigned long request, void* argument);
  // `path`: what was opened. Another file is left open: the program may have closed ours, and
  // opened one of its own under the same number.
  void (*close)(int file, const char* path);
};
const DeviceFileCalls& system_device_files();

// Life cycle: open() -> any number of calls -> destruction, by which the driver forgets the client
// and what it holds. Never in the way of the process's own use of the GPU.
class ResourceManager {
 public:
  // Fails where there is no such driver (WSL), where it knows no GPU of this name (a MIG instance),
  // and where its interface is another.
  static Result<ResourceManager> open(const GpuUuid& gpu,
                                      const DeviceFileCalls& calls = system_device_files());
  ResourceManager(ResourceManager&& other) noexcept;
  ResourceManager& operator=(ResourceManager&&) = delete;
  ~ResourceManager();

  // Of this GPU's own memory and of the host's. Waits until it is done: 0.65 ms on an H200. A guest
  // of a vGPU gets success for nothing (kmemsysCacheOp), so whoever relies on it looks first.
  Status empty_l2() const;

 private:
  ResourceManager(const DeviceFileCalls& calls, int file) : calls_(&calls), file_(file) {}
  Status allocate(std::uint32_t parent, std::uint32_t& object, std::uint32_t object_class,
                  void* parameters, std::uint32_t bytes) const;
  Status control(std::uint32_t object, std::uint32_t command, void* parameters,
                 std::uint32_t bytes) const;
  Status ask(unsigned number, void* argument, std::size_t bytes, const std::uint32_t& answer) const;

  const DeviceFileCalls* calls_;
  int file_;
  std::uint32_t client_ = 0;
};

}  // namespace ridgepoint::collector
