#include "kernels/attention/device/ptx.cuh"
#include "kernels/ceilings/mma.cuh"
#include "kernels/ceilings/probes.h"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Fp16 {
  using Bits = Fp16Bits;
  using Accumulator = float;
  static constexpr int k = 16;
  static __device__ __forceinline__ void multiply(Accumulator (&d)[4], const std::uint32_t (&a)[4],
                                                  std::uint32_t b0, std::uint32_t b1) {
    device::multiply_accumulate<__half>(d, a, b0, b1);
  }
};

}  // namespace

const Probe& mma_fp16() {
  static const Probe probe = mma_probe<Fp16>("tensor_fp16", "m16n8k16, FP32 accumulators");
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
