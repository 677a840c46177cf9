#include "kernels/ceilings/mma.cuh"
#include "kernels/ceilings/probes.h"
#include "kernels/ptx/mma_sync.cuh"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Fp8 {
  using Bits = E4m3Bits;
  using Accumulator = float;
  static constexpr int k = 32;
  static __device__ __forceinline__ void multiply(Accumulator (&d)[4], const std::uint32_t (&a)[4],
                                                  std::uint32_t b0, std::uint32_t b1) {
    ptx::mma_e4m3_k32(d, a, b0, b1);
  }
};

}  // namespace

// For sm_90a ptxas makes conversions to FP16, HMMA and additions of it, and takes the products,
// which do not change here, out of the loop.
const Probe& mma_fp8() {
  static const Probe probe = [] {
    Probe fp8 = mma_probe<Fp8>("tensor_fp8", "m16n8k32 of E4M3, FP32 accumulators");
    fp8.first_capability = 89;
    fp8.emulated_on = 90;
    return fp8;
  }();
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
