// A probe is a micro-benchmark of one ceiling: a kernel that does nothing but read memory, or
// nothing but one arithmetic instruction, for as many iterations as it is told. What it does is
// known exactly, so its rate follows from its time alone.
//
// Every block notes how long it ran by two clocks, the SM's cycles and the GPU's nanoseconds: their
// ratio is the SM clock while the probe ran, which no sampling from outside can tell of a kernel
// that runs for milliseconds.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace ridgepoint::kernels::ceilings {

struct ProbeDevice {
  int sm_count = 0;
  std::size_t free_bytes = 0;  // device memory that may be taken
  std::size_t l2_bytes = 0;
};

struct ProbeShape {
  int blocks = 0;
  int threads = 0;
  std::size_t buffer_bytes = 0;   // device memory the kernel works on; 0 for none
  double work_per_iteration = 0;  // of the whole grid: bytes, or FLOP with an FMA as 2
};

// Of one block, from its first to its last instruction.
struct BlockClock {
  std::uint64_t cycles = 0;
  std::uint64_t nanoseconds = 0;
};

struct ProbeRun {
  void* buffer = nullptr;        // ProbeShape::buffer_bytes of device memory, 16-byte aligned
  BlockClock* clocks = nullptr;  // blocks + 1 records; the last takes what a kernel never writes
  int iterations = 0;
  cudaStream_t stream = nullptr;
};

struct Probe {
  const char* ceiling;      // key of the roof: "hbm", "l2", "smem", "tensor_fp16"
  const char* method;       // which way to it: "read", "copy", "mma_sync", "wgmma"
  const char* description;  // one sentence
  // Compute capabilities, 10 x major + minor, that have the instruction in this build.
  int first_capability;
  int last_capability;
  ProbeShape (*shape)(const ProbeDevice& device);
  cudaError_t (*launch)(const ProbeShape& shape, const ProbeRun& run);
  int emulated_on = 0;  // in that range, yet the compiler makes other instructions of it there
};

// Of an instruction that every GPU of this build has.
inline Probe portable_probe(const char* ceiling, const char* method, const char* description,
                            ProbeShape (*shape)(const ProbeDevice&),
                            cudaError_t (*launch)(const ProbeShape&, const ProbeRun&)) {
  constexpr int first_capability = 80;
  constexpr int last_capability = 1 << 20;
  return {ceiling, method, description, first_capability, last_capability, shape, launch};
}

}  // namespace ridgepoint::kernels::ceilings
