#include "kernels/ceilings/mma.cuh"
#include "kernels/ceilings/probes.h"
#include "kernels/ptx/mma_sync.cuh"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Fp64 {
  using Bits = Fp64Bits;
  using Accumulator = double;
  static constexpr int k = 8;
  static __device__ __forceinline__ void multiply(Accumulator (&d)[4], const double (&a)[4],
                                                  double b0, double b1) {
    ptx::mma_fp64_k8(d, a, b0, b1);
  }
};

}  // namespace

const Probe& mma_fp64() {
  static const Probe probe = [] {
    Probe fp64 = mma_probe<Fp64>("tensor_fp64", "m16n8k8, FP64 accumulators");
    fp64.first_capability = fp64.last_capability = 90;  // built for no other
    return fp64;
  }();
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
