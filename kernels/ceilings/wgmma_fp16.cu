#include "kernels/ceilings/probes.h"
#include "kernels/ceilings/warpgroup_probe.cuh"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Fp16 : FloatAccumulator {
  using Bits = Fp16Bits;
  using Element = __half;
  static constexpr int element_bytes = 2;
};

}  // namespace

const Probe& wgmma_fp16() {
  static const Probe probe = wgmma_probe<Fp16>("tensor_fp16", "m64n256k16, FP32 accumulators");
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
