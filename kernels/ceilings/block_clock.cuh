// The two clocks of a probe, and the sink that keeps its work alive.
#pragma once

#include <cstdint>

#include "kernels/ceilings/probe.h"

namespace ridgepoint::kernels::ceilings {

// Life cycle: start() is the kernel's first statement, stop() its last, by all threads of the
// block. globaltimer ticks once in 32 ns to 1 us, depending on the GPU: a probe must run for
// milliseconds.
class BlockTimer {
 public:
  static __device__ __forceinline__ BlockTimer start() {
    BlockTimer timer;
    timer.nanoseconds_ = global_timer();
    timer.cycles_ = clock64();
    return timer;
  }

  __device__ __forceinline__ void stop(BlockClock* clocks) const {
    __syncthreads();
    if (threadIdx.x == 0) {
      const long long cycles = clock64();
      clocks[blockIdx.x] = {static_cast<std::uint64_t>(cycles - cycles_),
                            global_timer() - nanoseconds_};
    }
  }

 private:
  static __device__ __forceinline__ std::uint64_t global_timer() {
    std::uint64_t value = 0;
    asm volatile("mov.u64 %0, %%globaltimer;\n" : "=l"(value)::"memory");
    return value;
  }

  std::uint64_t nanoseconds_ = 0;
  long long cycles_ = 0;
};

// Writes when `bits` is one value in 2^32, which the compiler cannot rule out: so it has to compute
// them. A write that does happen goes to the record that nobody reads.
__device__ __forceinline__ void keep(std::uint32_t bits, BlockClock* clocks) {
  if (bits == 0x9e3779b9U) {
    clocks[gridDim.x].cycles = bits;
  }
}

__device__ __forceinline__ std::uint32_t mix(uint4 word) {
  return word.x ^ word.y ^ word.z ^ word.w;
}

// Bits without a pattern, so that the circuits switch as they do on real data: a product of zeros
// takes less power, which allows a higher clock. (The finalizer of SplitMix32.)
__device__ __forceinline__ std::uint32_t scattered(std::uint32_t seed) {
  seed = (seed ^ (seed >> 16)) * 0x21f0aaadU;
  seed = (seed ^ (seed >> 15)) * 0x735a2d97U;
  return seed ^ (seed >> 15);
}

}  // namespace ridgepoint::kernels::ceilings
