#include "kernels/ceilings/mma.cuh"
#include "kernels/ceilings/probes.h"
#include "kernels/ptx/mma_sync.cuh"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Int8 {
  using Bits = Int8Bits;
  using Accumulator = std::int32_t;
  static constexpr int k = 32;
  static __device__ __forceinline__ void multiply(Accumulator (&d)[4], const std::uint32_t (&a)[4],
                                                  std::uint32_t b0, std::uint32_t b1) {
    ptx::mma_int8_k32(d, a, b0, b1);
  }
};

}  // namespace

const Probe& mma_int8() {
  static const Probe probe = mma_probe<Int8>("tensor_int8", "m16n8k32, 32-bit accumulators");
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
