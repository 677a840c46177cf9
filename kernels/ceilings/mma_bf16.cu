#include "kernels/attention/device/ptx.cuh"
#include "kernels/ceilings/mma.cuh"
#include "kernels/ceilings/probes.h"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Bf16 {
  using Bits = Bf16Bits;
  using Accumulator = float;
  static constexpr int k = 16;
  static __device__ __forceinline__ void multiply(Accumulator (&d)[4], const std::uint32_t (&a)[4],
                                                  std::uint32_t b0, std::uint32_t b1) {
    device::multiply_accumulate<__nv_bfloat16>(d, a, b0, b1);
  }
};

}  // namespace

const Probe& mma_bf16() {
  static const Probe probe = mma_probe<Bf16>("tensor_bf16", "m16n8k16, FP32 accumulators");
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
