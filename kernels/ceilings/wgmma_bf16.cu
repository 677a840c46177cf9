#include "kernels/ceilings/probes.h"
#include "kernels/ceilings/warpgroup_probe.cuh"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Bf16 : FloatAccumulator {
  using Bits = Bf16Bits;
  using Element = __nv_bfloat16;
  static constexpr int element_bytes = 2;
};

}  // namespace

const Probe& wgmma_bf16() {
  static const Probe probe = wgmma_probe<Bf16>("tensor_bf16", "m64n256k16, FP32 accumulators");
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
