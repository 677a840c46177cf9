#include "kernels/ceilings/mma.cuh"
#include "kernels/ceilings/probes.h"
#include "kernels/ptx/mma_sync.cuh"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Tf32 {
  using Bits = Tf32Bits;
  using Accumulator = float;
  static constexpr int k = 8;
  static __device__ __forceinline__ void multiply(Accumulator (&d)[4], const std::uint32_t (&a)[4],
                                                  std::uint32_t b0, std::uint32_t b1) {
    ptx::mma_tf32_k8(d, a, b0, b1);
  }
};

}  // namespace

const Probe& mma_tf32() {
  static const Probe probe = mma_probe<Tf32>("tensor_tf32", "m16n8k8, FP32 accumulators");
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
