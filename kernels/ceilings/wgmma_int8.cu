#include "kernels/ceilings/probes.h"
#include "kernels/ceilings/warpgroup_probe.cuh"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Int8 {
  using Accumulator = std::uint32_t;
  static __device__ __forceinline__ std::uint32_t bits(std::uint32_t x) { return x; }
  using Bits = Int8Bits;
  using Element = ptx::Int8;
  static constexpr int element_bytes = 1;
};

}  // namespace

const Probe& wgmma_int8() {
  static const Probe probe = wgmma_probe<Int8>("tensor_int8", "m64n256k32, 32-bit accumulators");
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
